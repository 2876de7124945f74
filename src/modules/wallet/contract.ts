import { Type } from 'typebox';
import { eventKind } from '../../kernel/events.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** An invariant of the ledger that does not hold, and where. */
export interface LedgerFault {
  invariant: string;
  /** The first few places, each as a sentence. */
  at: string[];
}

/** The result of checking every invariant of the ledger. */
export interface Verification {
  entries: number;
  transactions: number;
  inCirculation: number;
  /** A hash over the newest hashes of all accounts; compared with a copy kept elsewhere it shows a rewritten history. */
  head: string;
  faults: LedgerFault[];
}

export interface Wallet {
  /** Checks every invariant of the whole ledger and stores the result. */
  verify(): Promise<Verification>;
}

const keys = Type.Integer({ description: 'Keys' });
const movement = {
  transactionId: Type.String({ description: "The transaction's own unique string" }),
  amount: keys,
};
const memberMovement = { ...movement, userId: ObjectIdShape };

/** Keys were added to a wallet: bought, or granted by an administrator. */
export const walletFunded = eventKind('wallet.funded', {
  version: 1,
  data: Type.Object({
    ...memberMovement,
    source: oneOf(['checkout', 'administrator']),
    balance: keys,
  }),
});

/** Keys were transferred from one member to another, possibly as a gift. */
export const walletTransferred = eventKind('wallet.transferred', {
  version: 1,
  data: Type.Object({
    ...movement,
    fromUserId: ObjectIdShape,
    toUserId: ObjectIdShape,
    description: Type.String(),
    gift: Type.Boolean(),
    surface: Type.Optional(
      Type.String({ description: 'Where a gift was made: livestream, educator or meeting' }),
    ),
  }),
});

/** Keys were put on hold, to be paid out. */
export const withdrawalRequested = eventKind('wallet.withdrawal-requested', {
  version: 1,
  data: Type.Object({ ...memberMovement, usdAmount: Type.Number() }),
});

/** A withdrawal was paid out: its Keys have left the ledger. */
export const walletWithdrawn = eventKind('wallet.withdrawn', {
  version: 1,
  data: Type.Object(memberMovement),
});

/** A withdrawal was not paid out: its Keys returned to the balance. */
export const withdrawalReturned = eventKind('wallet.withdrawal-returned', {
  version: 1,
  data: Type.Object({
    ...memberMovement,
    outcome: oneOf(['failed', 'cancelled']),
    reason: Type.String(),
  }),
});

/** A purchase was refunded and its Keys were taken back, except `short` Keys that the wallet no longer held. */
export const walletRefunded = eventKind('wallet.refunded', {
  version: 1,
  data: Type.Object({ ...memberMovement, short: keys }),
});

/** A new exchange rate took effect. */
export const exchangeRateChanged = eventKind('wallet.exchange-rate-changed', {
  version: 1,
  data: Type.Object({ currency: Type.String(), rate: Type.Number() }),
});
