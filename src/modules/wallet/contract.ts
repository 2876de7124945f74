import { Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
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

/** A transfer between members that another module asks for. */
export interface MemberTransfer {
  fromUserId: ObjectId;
  toUserId: ObjectId;
  /** Keys. */
  amount: number;
  description: string;
  metadata: Record<string, unknown>;
  /** Written in the transaction of the transfer: both happen, or neither. */
  also: (tx: Transaction, transfer: { transactionId: string }) => Promise<void>;
}

export interface Wallet {
  /** Checks every invariant of the whole ledger and stores the result. */
  verify(): Promise<Verification>;
  /**
   * Transfers Keys between two members. A recipient without a wallet gets one.
   * @throws walletNotFound, insufficientBalance, walletLocked, walletInactive, recipientUnavailable, userNotFound,
   * and what `also` throws
   */
  transfer(transfer: MemberTransfer): Promise<void>;
  /** Returns how many whole Keys a price in money is, at the current rate, rounded up. @throws rateNotFound */
  keysFor(price: number, currency: string): Promise<number>;
}

export const walletNotFound = notFound('Wallet');
export const insufficientBalance = failure(400, 'INSUFFICIENT_BALANCE', 'Insufficient balance');
export const walletLocked = failure(403, 'WALLET_LOCKED', 'Wallet is locked');
export const walletInactive = failure(403, 'WALLET_INACTIVE', 'Wallet is inactive');
export const recipientUnavailable = failure(
  403,
  'RECIPIENT_UNAVAILABLE',
  'The wallet of the recipient is locked or inactive',
);

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

/** A withdrawal that was paid out came back, and so did its Keys. */
export const withdrawalReversed = eventKind('wallet.withdrawal-reversed', {
  version: 1,
  data: Type.Object({ ...memberMovement, reason: Type.String() }),
});

/** Keys that a dispute had taken returned, because it was won. */
export const walletRestored = eventKind('wallet.restored', { version: 1, data: Type.Object(memberMovement) });

/** A purchase was refunded or disputed and its Keys were taken back, except `short` Keys that the wallet no longer held. */
export const walletRefunded = eventKind('wallet.refunded', {
  version: 1,
  data: Type.Object({ ...memberMovement, short: keys }),
});

/** A new exchange rate took effect. */
export const exchangeRateChanged = eventKind('wallet.exchange-rate-changed', {
  version: 1,
  data: Type.Object({ currency: Type.String(), rate: Type.Number() }),
});
