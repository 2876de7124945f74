import { Type } from 'typebox';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { type FailureMaker, failure, invalidId } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { MAX_INTEGER, ObjectIdShape, oneOf, refusedAs } from '../../kernel/operations/shapes.ts';
import { stepUpRequired } from '../../kernel/operations/step-up.ts';
import type { RecordedAnswer } from '../../kernel/records/idempotency.ts';

const invalidAmount = failure(400, 'INVALID_AMOUNT', 'Amount must be a positive whole number');

/** An amount in a request; anything but a positive whole number, including a missing value, is rejected with 400. */
export const Amount = refusedAs(
  Type.Integer({
    minimum: 1,
    maximum: MAX_INTEGER,
    description: 'Keys, a positive whole number',
    examples: [25],
  }),
  invalidAmount,
);

/** The public reference of a transaction in a query; a malformed one is rejected with 400. */
export const TransactionInQuery = refusedAs(
  Type.String({ pattern: '^txn_[0-9A-HJKMNP-TV-Z]{20}$', examples: ['txn_0CX81Z5A9K3WF2M7RQ4T'] }),
  invalidId('transaction'),
  null,
);

/** A violated invariant of the ledger, and where it is violated. */
export interface LedgerFault {
  invariant: string;
  /** The first few violations, each as text. */
  at: string[];
}

/** The result of checking every invariant. `issued` counts all Keys, paid out or not: what CIRCULATION_LIMIT_EXCEEDED limits. */
export interface Verification {
  entries: number;
  transactions: number;
  issued: number;
  inCirculation: number;
  /** A hash over the newest hash of every account; comparing it with an earlier copy reveals a rewritten history. */
  head: string;
  faults: LedgerFault[];
}

/** A transfer of Keys between members, requested by another module. */
export interface MemberTransfer {
  fromUserId: ObjectId;
  /** The caller who sends, whose session may have to step up; undefined for seeds, which have no session. */
  sender: UserCaller | undefined;
  toUserId: ObjectId;
  amount: number;
  description: string;
  metadata: Record<string, unknown>;
  /** Checks that lock members, made in the transaction of the transfer before it locks wallets. */
  admit?: (tx: Transaction) => Promise<void>;
  /** Runs in the transaction of the transfer, so that both commit or neither does. */
  also?: (tx: Transaction, transfer: { transactionId: string }) => Promise<void>;
  /** The response to record if the request carries an `Idempotency-Key`. */
  answer?: RecordedAnswer<TransferDone>;
}

/** A committed transfer. */
export interface TransferDone {
  transactionId: string;
  at: Date;
}

/** Places in the product where gifts are made. */
export const GIFT_SURFACES = ['livestream', 'educator', 'meeting'] as const;

/** A completed transfer between members that is marked as a gift. */
export interface Gift {
  transactionId: string;
  fromUserId: ObjectId;
  toUserId: ObjectId;
  /** Keys. */
  amount: number;
  message: string;
  surface: (typeof GIFT_SURFACES)[number];
  createdAt: Date;
}

/** The gifts that a member sent or received on a surface. */
export interface GiftFilter extends Pick<Gift, 'surface'> {
  userId: ObjectId;
  side: 'sent' | 'received';
}

/** A half-open period: `from` is inclusive, `to` is exclusive. */
export interface GiftPeriod {
  from: Date;
  to: Date;
}

export interface GiftSums {
  giftedKeys: number;
  gifts: number;
  gifters: number;
  giftRecipients: number;
}

/** The gifts that a member gave or received within a period. */
export interface GiftRank {
  userId: ObjectId;
  keys: number;
  gifts: number;
  /** Number of distinct members on the other side. */
  counterparties: number;
  lastGiftAt: Date;
}

/** The gifts of the ledger. */
interface Gifts {
  /** Returns a member's gifts on one side, newest first, with a stored total; `before` is a transaction id. */
  pageOf(filter: GiftFilter, request: PageRequest): Promise<Page<Gift>>;
  /** Returns the sum of the gifts, in Keys. */
  keysOf(filter: GiftFilter): Promise<number>;
  /** Returns the totals over all gifts of a period. */
  sums(period: GiftPeriod): Promise<GiftSums>;
  /** Returns the members who gave the most Keys; ties are broken by the number of gifts, then by id. */
  topSenders(period: GiftPeriod, best: { limit: number; except?: ObjectId[] }): Promise<GiftRank[]>;
  /** Returns the members who received the most Keys; ties are broken by the number of gifts, then by id. */
  topRecipients(period: GiftPeriod, best: { limit: number; except?: ObjectId[] }): Promise<GiftRank[]>;
}

export interface Wallet {
  /** Checks every invariant of the whole ledger and stores the result. */
  verify(): Promise<Verification>;
  /** Returns the size and the head of the ledger in a snapshot, without checking it. */
  stateIn(queries: Queries): Promise<Pick<Verification, 'entries' | 'transactions' | 'head'>>;
  /**
   * Transfers Keys between two members. Creates the recipient's wallet if there is none.
   * @throws walletNotFound, insufficientBalance, walletLocked, walletInactive, recipientUnavailable, stepUpRequired,
   * userNotFound, and the errors of `also`
   */
  transfer(transfer: MemberTransfer): Promise<TransferDone>;
  gifts: Gifts;
  /** Converts a price to whole Keys at the current rate, rounded up. @throws noExchangeRate, insufficientBalance */
  keysFor(price: number, currency: string): Promise<number>;
  /** Converts prices alike, by one query; null for those that cannot be paid in Keys. */
  allKeysFor(prices: { price: number; currency: string }[]): Promise<(number | null)[]>;
}

/** Has its own code, so that an app can offer to create a wallet. */
export const walletNotFound = failure(404, 'WALLET_NOT_FOUND', 'Wallet not found');
export const insufficientBalance = failure(400, 'INSUFFICIENT_BALANCE', 'Insufficient balance');
export const walletLocked = failure(403, 'WALLET_LOCKED', 'Wallet is locked');
export const walletInactive = failure(403, 'WALLET_INACTIVE', 'Wallet is inactive');
export const recipientUnavailable = failure(
  403,
  'RECIPIENT_UNAVAILABLE',
  'The wallet of the recipient is locked or inactive',
);

export const balanceLimitExceeded = failure(
  400,
  'BALANCE_LIMIT_EXCEEDED',
  `A balance cannot exceed ${MAX_INTEGER} Keys`,
);
export const volumeLimitExceeded = failure(
  400,
  'VOLUME_LIMIT_EXCEEDED',
  'The total turnover of this wallet exceeds the supported maximum',
);

/** The failures of any posting that credits a wallet. */
export const CREDIT_FAILURES: FailureMaker[] = [balanceLimitExceeded, volumeLimitExceeded];
/** The failures of a transfer, besides those of its recipient's account; operations that transfer declare them. */
export const TRANSFER_FAILURES: FailureMaker[] = [
  ...CREDIT_FAILURES,
  insufficientBalance,
  walletNotFound,
  walletLocked,
  walletInactive,
  recipientUnavailable,
  stepUpRequired,
];

export const noExchangeRate = failure(409, 'NO_EXCHANGE_RATE', 'This currency has no exchange rate now');
export const amountTooSmall = failure(400, 'AMOUNT_TOO_SMALL', 'The amount is worth less than one cent');
export const amountTooLarge = failure(
  400,
  'AMOUNT_TOO_LARGE',
  'The amount is worth more than a single payout can carry',
);
/** The failures of a withdrawal. */
export const WITHDRAWAL_FAILURES: FailureMaker[] = [
  ...CREDIT_FAILURES,
  insufficientBalance,
  amountTooSmall,
  amountTooLarge,
  walletNotFound,
  walletLocked,
  walletInactive,
];

export const walletNotEmpty = failure(
  409,
  'WALLET_NOT_EMPTY',
  'The wallet still holds Keys: spend them, or choose what becomes of them',
);
export const withdrawalPending = failure(
  409,
  'WITHDRAWAL_PENDING',
  'A withdrawal is still pending: wait for it or cancel it, or choose what becomes of remaining Keys',
);
/** The failures by which a wallet prevents the deletion of its owner's account. */
export const WALLET_REMAINS: FailureMaker[] = [
  walletNotEmpty,
  withdrawalPending,
  walletLocked,
  walletInactive,
  amountTooSmall,
  amountTooLarge,
  ...CREDIT_FAILURES,
];

const keys = Type.Integer({ description: 'Keys' });
const movement = {
  transactionId: Type.String({ description: 'The unique id of the transaction' }),
  amount: keys,
};
const memberMovement = { ...movement, userId: ObjectIdShape };

/** Keys were added to a wallet: bought, granted by an administrator, or given back by a correction. */
export const walletFunded = eventKind('wallet.funded', {
  version: 1,
  data: Type.Object({
    ...memberMovement,
    source: oneOf(['checkout', 'administrator', 'correction']),
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

/** Keys were put on hold for a payout. */
export const withdrawalRequested = eventKind('wallet.withdrawal-requested', {
  version: 1,
  data: Type.Object({ ...memberMovement, usdAmount: Type.Number() }),
});

/** A withdrawal was paid out; its Keys have left the ledger. */
export const walletWithdrawn = eventKind('wallet.withdrawn', {
  version: 1,
  data: Type.Object(memberMovement),
});

/** A withdrawal was not paid out; its Keys returned to the balance. */
export const withdrawalReturned = eventKind('wallet.withdrawal-returned', {
  version: 1,
  data: Type.Object({
    ...memberMovement,
    outcome: oneOf(['failed', 'cancelled']),
    reason: Type.String(),
  }),
});

/** A paid withdrawal was returned by the bank; its Keys returned to the balance. */
export const withdrawalReversed = eventKind('wallet.withdrawal-reversed', {
  version: 1,
  data: Type.Object({ ...memberMovement, reason: Type.String() }),
});

/** Keys taken back because of a dispute were restored, because the dispute was won. */
export const walletRestored = eventKind('wallet.restored', { version: 1, data: Type.Object(memberMovement) });

/**
 * Keys were taken back, except `short` ones that the wallet no longer held: a purchase was refunded or disputed, an
 * administrator corrected something, or the member forfeited them with the account.
 */
export const walletRefunded = eventKind('wallet.refunded', {
  version: 1,
  data: Type.Object({ ...memberMovement, short: keys }),
});

/** A new exchange rate took effect. */
export const exchangeRateChanged = eventKind('wallet.exchange-rate-changed', {
  version: 1,
  data: Type.Object({ currency: Type.String(), rate: Type.Number() }),
});
