import { type EventKind, on, onMany, type Subscription } from '../../kernel/events.ts';
import { shortenTo } from '../../kernel/text.ts';
import { postCommented } from '../community/index.ts';
import { userSignedUp } from '../identity/index.ts';
import { livestreamStarted } from '../livestreams/index.ts';
import { tradeCreated } from '../trades/index.ts';
import {
  walletFunded,
  walletTransferred,
  walletWithdrawn,
  withdrawalReturned,
  withdrawalReversed,
} from '../wallet/index.ts';
import type { Notify, Told } from './sending.ts';
import type { TopicRules } from './topics.ts';

const keys = (amount: number): string => `${amount.toLocaleString('en-US')} ${amount === 1 ? 'Key' : 'Keys'}`;

/** What other modules' events tell members. The event is the subject: delivered twice, it is told once. */
export function wiring(notify: Notify, tellTopic: TopicRules['tell']): Subscription[] {
  const tell = <Data extends object>(kind: EventKind<Data>, write: (data: Data) => Told): Subscription =>
    onMany(kind, 'notifications', async (events, tx) => {
      await notify(
        tx,
        events.map(({ id, name, data }) => ({ ...write(data), subject: `${name}:${id}` })),
      );
    });
  // The app and the phone: of money nobody wants a mail each time, and the welcome has its own.
  const channels = ['push' as const];
  return [
    on(livestreamStarted, 'notifications', async ({ id, data }, tx) => {
      const { livestreamId, title, hostId, isQuiet } = data;
      if (isQuiet) return;
      const metadata = { action: 'open-session', sessionId: livestreamId, speakerId: hostId };
      const told = { title: `Live now: ${title}`, message: 'The session has begun.', metadata };
      await tellTopic(tx, 'SESSIONS', { ...told, type: 'announcement', channels, subject: `session:${id}` });
    }),
    on(tradeCreated, 'notifications', async ({ id, data }, tx) => {
      const { tradeId, symbol, direction, entryPrice, isQuiet } = data;
      if (isQuiet) return;
      await tellTopic(tx, 'TRADE_IDEAS', {
        ...{ type: 'trade_update', channels, subject: `trade:${id}` },
        title: `${symbol}, ${direction}`,
        message: `A new trade idea: ${direction} at ${entryPrice}.`,
        metadata: { action: 'open-trade', tradeId },
      });
    }),
    tell(postCommented, ({ postUserId, postId, commentId, userId, content }) => ({
      ...{ userId: postUserId, channels, type: 'comment_reply' },
      title: 'A new comment on your post',
      message: shortenTo(content, 200),
      metadata: { action: 'open-post', postId, commentId, fromUserId: userId },
    })),
    tell(userSignedUp, ({ userId, firstName }) => ({
      ...{ userId, channels, type: 'welcome' },
      title: `Welcome, ${firstName}`,
      message: 'Your account is ready. We are glad that you are here.',
    })),
    tell(walletFunded, ({ userId, amount, balance, transactionId, source }) => ({
      ...{ userId, channels, type: 'alert', priority: 'high' },
      title: `${keys(amount)} added`,
      message: `Your wallet now holds ${keys(balance)}.`,
      metadata: { action: 'open-wallet', transactionId, source },
    })),
    tell(walletTransferred, ({ toUserId, fromUserId, amount, description, transactionId, gift }) => ({
      ...{ userId: toUserId, channels, type: 'alert', priority: 'high' },
      title: gift ? `A gift of ${keys(amount)}` : `${keys(amount)} received`,
      message: description || 'They are in your wallet.',
      metadata: { action: 'open-wallet', transactionId, fromUserId },
    })),
    tell(walletWithdrawn, ({ userId, amount, transactionId }) => ({
      ...{ userId, channels, type: 'alert', priority: 'high' },
      title: 'Your withdrawal was paid out',
      message: `${keys(amount)} were paid out.`,
      metadata: { action: 'open-wallet', transactionId },
    })),
    tell(withdrawalReturned, ({ userId, amount, transactionId, outcome }) => ({
      ...{ userId, channels, type: 'alert', priority: 'high' },
      title: outcome === 'failed' ? 'Your withdrawal failed' : 'Your withdrawal was cancelled',
      message: `${keys(amount)} are back in your wallet.`,
      metadata: { action: 'open-wallet', transactionId },
    })),
    tell(withdrawalReversed, ({ userId, amount, transactionId }) => ({
      ...{ userId, channels, type: 'alert', priority: 'high' },
      title: 'Your payout was sent back by the bank',
      message: `${keys(amount)} are back in your wallet.`,
      metadata: { action: 'open-wallet', transactionId },
    })),
  ];
}
