import { Type } from 'typebox';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { fromEvent, type PublicEvent, publicEvent } from '../webhooks/contract.ts';
import {
  exchangeRateChanged,
  walletFunded,
  walletRefunded,
  walletRestored,
  walletTransferred,
  walletWithdrawn,
  withdrawalRequested,
  withdrawalReturned,
  withdrawalReversed,
} from './contract.ts';

const movement = {
  transactionId: Type.String({
    description: 'The transaction, as the history of the wallet shows it',
    examples: ['txn_01HX5Y2K7M3N9P4Q6R8S'],
  }),
  amount: Type.Integer({ description: 'Keys' }),
};
const ofMember = { ...movement, userId: ObjectIdShape };

interface Movement {
  transactionId: string;
  amount: number;
  userId: string;
}
const movementOf = ({ transactionId, amount, userId }: Movement) => ({ transactionId, amount, userId });

export const walletPublicEvents: PublicEvent[] = [
  publicEvent('wallet.funded', {
    about: 'Keys were added to a wallet: bought, granted by an administrator, or given back',
    data: Type.Object({
      ...ofMember,
      source: oneOf(['checkout', 'administrator', 'correction', 'dispute-won'], {
        description:
          '`correction`: an administrator reversed what had taken them; `dispute-won`: they were taken back for a dispute that was then won',
      }),
    }),
    from: [
      fromEvent(walletFunded, (data) => ({ ...movementOf(data), source: data.source })),
      fromEvent(walletRestored, (data) => ({ ...movementOf(data), source: 'dispute-won' as const })),
    ],
  }),
  publicEvent('wallet.transferred', {
    about: 'Keys were transferred from one member to another',
    data: Type.Object({
      ...movement,
      fromUserId: ObjectIdShape,
      toUserId: ObjectIdShape,
      gift: Type.Boolean({ description: 'Whether it was a gift, such as a tip' }),
    }),
    from: [
      fromEvent(walletTransferred, ({ transactionId, amount, fromUserId, toUserId, gift }) => ({
        transactionId,
        amount,
        fromUserId,
        toUserId,
        gift,
      })),
    ],
  }),
  publicEvent('wallet.refunded', {
    about:
      'Keys were taken back: a payment was refunded or disputed, an administrator corrected something, or they were forfeited with a deleted account',
    data: Type.Object({
      ...ofMember,
      short: Type.Integer({
        description: 'Keys that could not be taken because the wallet no longer had them',
      }),
    }),
    from: [fromEvent(walletRefunded, (data) => ({ ...movementOf(data), short: data.short }))],
  }),
  publicEvent('withdrawal.requested', {
    about: 'A member requested a withdrawal; its Keys are held until it ends',
    data: Type.Object({
      ...ofMember,
      usdAmount: Type.Number({ description: 'What is to be paid out, in US dollars' }),
    }),
    from: [fromEvent(withdrawalRequested, (data) => ({ ...movementOf(data), usdAmount: data.usdAmount }))],
  }),
  publicEvent('withdrawal.paid', {
    about: 'A withdrawal was paid out',
    data: Type.Object(ofMember),
    from: [fromEvent(walletWithdrawn, movementOf)],
  }),
  publicEvent('withdrawal.returned', {
    about: 'A withdrawal was not paid out, or the bank sent it back; its Keys returned to the wallet',
    data: Type.Object({
      ...ofMember,
      outcome: oneOf(['failed', 'cancelled', 'reversed'], {
        description: '`reversed`: the bank returned a withdrawal that had been paid',
      }),
    }),
    from: [
      fromEvent(withdrawalReturned, (data) => ({ ...movementOf(data), outcome: data.outcome })),
      fromEvent(withdrawalReversed, (data) => ({ ...movementOf(data), outcome: 'reversed' as const })),
    ],
  }),
  publicEvent('exchange_rate.changed', {
    about: 'The value of Keys changed',
    data: Type.Object({
      currency: Type.String({ format: 'currency', description: 'ISO 4217', examples: ['USD'] }),
      rate: Type.Number({ description: 'What one Key is worth in this currency', examples: [0.1] }),
    }),
    from: [fromEvent(exchangeRateChanged, ({ currency, rate }) => ({ currency, rate }))],
  }),
];
