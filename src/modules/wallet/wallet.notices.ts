import type { ObjectId } from '../../kernel/ids.ts';
import type { EventKind } from '../../kernel/messaging/events.ts';
import { ALERT, type Notice, notice, noticeAction } from '../notifications/contract.ts';
import {
  walletFunded,
  walletTransferred,
  walletWithdrawn,
  withdrawalReturned,
  withdrawalReversed,
} from './contract.ts';

const keys = (amount: number): string => `${amount.toLocaleString('en-US')} ${amount === 1 ? 'Key' : 'Keys'}`;

const openWallet = noticeAction('open-wallet', {
  opens: 'the movement of Keys',
  path: '/v1/wallets/transactions/{transactionId}',
  ids: ['transactionId'],
  optionalIds: ['fromUserId'],
});

interface Alert {
  title: string;
  message: string;
  ids: { transactionId: string; fromUserId?: ObjectId };
  details?: Record<string, unknown>;
  /** Who caused it; whoever has blocked them is not notified. */
  from?: ObjectId;
}

/** Notifies the app and the phone of movements of Keys; an e-mail for each would be too much. */
const alertTo = (to: ObjectId, alert: Alert) => [
  { to, priority: 'high' as const, channels: ['push' as const], ...alert },
];

/** Declares that a movement alerts a member. The texts need only the event, because movements never change. */
const alerting = <Data extends object>(
  kind: EventKind<Data>,
  write: (data: Data) => ReturnType<typeof alertTo>,
): Notice => notice(kind, { type: ALERT, action: openWallet, write });

export const walletNotices: Notice[] = [
  alerting(walletFunded, ({ userId, amount, balance, transactionId, source }) =>
    alertTo(userId, {
      title: `${keys(amount)} added`,
      message: `Your wallet now holds ${keys(balance)}.`,
      ids: { transactionId },
      details: { source },
    }),
  ),
  alerting(walletTransferred, ({ toUserId, fromUserId, amount, description, transactionId, gift }) =>
    alertTo(toUserId, {
      title: gift ? `A gift of ${keys(amount)}` : `${keys(amount)} received`,
      message: description || 'The Keys are in your wallet.',
      ids: { transactionId, fromUserId },
      from: fromUserId,
    }),
  ),
  alerting(walletWithdrawn, ({ userId, amount, transactionId }) =>
    alertTo(userId, {
      title: 'Your withdrawal was paid out',
      message: `${keys(amount)} were paid out.`,
      ids: { transactionId },
    }),
  ),
  alerting(withdrawalReturned, ({ userId, amount, transactionId, outcome }) =>
    alertTo(userId, {
      title: outcome === 'failed' ? 'Your withdrawal failed' : 'Your withdrawal was cancelled',
      message: `${keys(amount)} are back in your wallet.`,
      ids: { transactionId },
    }),
  ),
  alerting(withdrawalReversed, ({ userId, amount, transactionId }) =>
    alertTo(userId, {
      title: 'Your payout was sent back by the bank',
      message: `${keys(amount)} are back in your wallet.`,
      ids: { transactionId },
    }),
  ),
];
