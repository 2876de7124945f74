import { type Notice, type NoticeMessage, notice } from '../notifications/contract.ts';
import {
  walletFunded,
  walletTransferred,
  walletWithdrawn,
  withdrawalReturned,
  withdrawalReversed,
} from './contract.ts';

const keys = (amount: number): string => `${amount.toLocaleString('en-US')} ${amount === 1 ? 'Key' : 'Keys'}`;

/** Notifies the app and the phone of movements of Keys; an e-mail for each would be too much. */
const alert = (
  to: string,
  { title, message, metadata }: { title: string; message: string; metadata: Record<string, unknown> },
): NoticeMessage[] => [
  {
    to,
    type: 'alert',
    priority: 'high',
    channels: ['push'],
    title,
    message,
    metadata: { action: 'open-wallet', ...metadata },
  },
];

export const walletNotices: Notice[] = [
  notice(walletFunded, ({ userId, amount, balance, transactionId, source }) =>
    alert(userId, {
      title: `${keys(amount)} added`,
      message: `Your wallet now holds ${keys(balance)}.`,
      metadata: { transactionId, source },
    }),
  ),
  notice(walletTransferred, ({ toUserId, fromUserId, amount, description, transactionId, gift }) =>
    alert(toUserId, {
      title: gift ? `A gift of ${keys(amount)}` : `${keys(amount)} received`,
      message: description || 'The Keys are in your wallet.',
      metadata: { transactionId, fromUserId },
    }),
  ),
  notice(walletWithdrawn, ({ userId, amount, transactionId }) =>
    alert(userId, {
      title: 'Your withdrawal was paid out',
      message: `${keys(amount)} were paid out.`,
      metadata: { transactionId },
    }),
  ),
  notice(withdrawalReturned, ({ userId, amount, transactionId, outcome }) =>
    alert(userId, {
      title: outcome === 'failed' ? 'Your withdrawal failed' : 'Your withdrawal was cancelled',
      message: `${keys(amount)} are back in your wallet.`,
      metadata: { transactionId },
    }),
  ),
  notice(withdrawalReversed, ({ userId, amount, transactionId }) =>
    alert(userId, {
      title: 'Your payout was sent back by the bank',
      message: `${keys(amount)} are back in your wallet.`,
      metadata: { transactionId },
    }),
  ),
];
