import { type Static, Type } from 'typebox';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** A request for payment by a member, from another module. */
export interface Order {
  /** The kind of order within the module, returned with the events. */
  purpose: string;
  userId: ObjectId;
  /** A description for the payer. */
  description: string;
  cents: number;
  /** Stored with the checkout and passed on with its events. */
  details: Record<string, unknown>;
  /** Absolute http(s) URLs; default to those of the installation. */
  successUrl?: string;
  cancelUrl?: string;
  /** Identical for retries of the same order, so that it is opened once. */
  idempotencyKey: string;
}

/** A hosted checkout that awaits payment. */
export interface OpenCheckout {
  sessionId: string;
  url: string;
  expiresAt: Date;
}

const PayoutOutcome = oneOf(['paid', 'failed', 'cancelled']);
export type PayoutOutcome = Static<typeof PayoutOutcome>;

/** A decision on how a payout ends. */
export interface PayoutDecision {
  /** Identical for retries of the same request. */
  id: string;
  outcome: PayoutOutcome;
  reason: string;
  /** Whether an operator decides, who can also end a payout that was paid with another amount than was ordered. */
  isOperators: boolean;
  /** Published with `payoutSettled` if the payout ends by this decision. */
  details: Record<string, unknown>;
}

/** The state of a checkout or a payout, for administrators. */
interface PaymentFacts {
  id: ObjectId;
  /** The failed attempts to reach the provider about it since the last successful one. */
  attempts: number;
  /** Why the last of these failed, or why the payment itself did. */
  lastError: string | null;
}

export interface PayoutFacts extends PaymentFacts {
  /** As given with the request. */
  reference: string;
  /** The provider's name of it; null until the provider has answered. */
  providerId: string | null;
  status: string;
}

export const CHECKOUT_STATUSES = ['open', 'paid', 'expired', 'failed'] as const;
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

export interface CheckoutFacts extends PaymentFacts {
  sessionId: string;
  userId: ObjectId;
  purpose: string;
  details: Record<string, unknown>;
  cents: number;
  refundedCents: number;
  status: CheckoutStatus;
  /** The state that the provider reported last; null if it has not reported any. */
  providerStatus: CheckoutStatus | null;
  paymentId: string | null;
  createdAt: Date;
  expiresAt: Date;
  settledAt: Date | null;
}

export interface CheckoutFilter {
  status?: CheckoutStatus | undefined;
  userId?: ObjectId | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** What became of the provider's events that were applied once more. */
export interface Replayed {
  /** How many were news: had an effect, or raised an alert. */
  applied: number;
  /** How many changed nothing, since their effect was known. */
  known: number;
  failed: number;
  /** Those that are no event as the provider documents them. */
  unreadable: { id: string; type: string }[];
}

/** The queries and actions of administrators about payments. */
interface Payments {
  /** Returns the payouts with these references, in no particular order. */
  payoutsOf(references: string[]): Promise<PayoutFacts[]>;
  /** Returns the references of the payouts that have this id, here or at the provider. */
  payoutReferencesOf(id: string): Promise<string[]>;
  /** Returns the checkouts of these sessions, in no particular order. */
  checkoutsOf(sessionIds: string[]): Promise<CheckoutFacts[]>;
  /** Returns checkouts, newest first. */
  pageOf(filter: CheckoutFilter, page: PageRequest): Promise<Page<CheckoutFacts>>;
  /** @throws checkoutNotFound */
  checkout(id: ObjectId): Promise<CheckoutFacts>;
  /**
   * Asks the provider for the state of a checkout and applies it.
   * @throws paymentUnavailable
   */
  reconcileCheckout(id: ObjectId): Promise<void>;
  /**
   * Submits an open payout that the provider does not have yet, or asks for the state of any other and applies it; does
   * nothing for one that has ended.
   * @throws paymentUnavailable, payoutUnknown
   */
  retryPayout(reference: string): Promise<void>;
  /**
   * Applies all events of the provider since a time once more, of which each has taken effect at most once.
   * @throws paymentUnavailable, PaymentRefused
   */
  replay(since: Date): Promise<Replayed>;
}

/** Collects payments and makes payouts for other modules, and reports the outcome by events. */
export interface Merchant {
  /**
   * Opens a hosted checkout. `also` runs in the transaction that stores it.
   * @throws paymentUnavailable, and nothing is stored; priceOutOfRange
   */
  openCheckout(
    order: Order,
    also: (tx: Transaction, opened: OpenCheckout) => Promise<void>,
  ): Promise<OpenCheckout>;
  /** Requests a payout; `payoutSettled` reports its outcome under the same reference. */
  requestPayout(
    tx: Transaction,
    payout: { reference: string; userId: ObjectId; cents: number },
  ): Promise<void>;
  /** Maximum amount of a payout, in cents. */
  maxPayoutCents: number;
  /**
   * Ends an open payout by decision of a member or an operator. `also` runs in the transaction that records the result;
   * `payoutSettled` carries the decision's details.
   * @returns false when the payout ended otherwise; the decision is then discarded
   * @throws payoutUnderWay, and the decision is discarded; paymentUnavailable
   */
  decidePayout(
    reference: string,
    decision: PayoutDecision,
    also: (tx: Transaction) => Promise<void>,
  ): Promise<boolean>;
  payments: Payments;
}

export const checkoutNotFound = notFound('Checkout');
export const payoutUnknown = failure(
  409,
  'PAYOUT_UNKNOWN',
  'The payment provider does not know this payout, although it once named it',
);

export const priceOutOfRange = failure(
  400,
  'PRICE_OUT_OF_RANGE',
  'The price is outside the range that the payment provider accepts',
);
export const payoutUnderWay = failure(
  409,
  'PAYOUT_UNDER_WAY',
  'The payout is under way and can no longer be stopped',
);

const checkoutData = {
  checkoutId: ObjectIdShape,
  sessionId: Type.String({ description: "The provider's identifier" }),
  purpose: Type.String(),
  userId: ObjectIdShape,
  cents: Type.Integer(),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'The details given with the order' }),
};

/** A checkout was paid; published once. */
export const checkoutPaid = eventKind('merchant.checkout-paid', {
  version: 1,
  data: Type.Object(checkoutData),
});

/** The cause of a reversal. */
const ReversalCause = Type.Union([
  Type.Object({ kind: oneOf(['refund']), refundedCents: Type.Integer() }),
  Type.Object({
    kind: oneOf(['dispute', 'dispute-won']),
    disputeId: Type.String(),
    disputedCents: Type.Integer(),
  }),
]);
export type ReversalCause = Static<typeof ReversalCause>;

/**
 * A paid checkout was refunded or disputed, or a dispute returned its money; `reversedCents` is the total now reversed.
 * Published only if it has changed.
 */
export const checkoutReversed = eventKind('merchant.checkout-reversed', {
  version: 1,
  data: Type.Object({
    ...checkoutData,
    reversedCents: Type.Integer(),
    changedCents: Type.Optional(
      Type.Integer({ description: 'The newly reversed amount; negative if money was returned' }),
    ),
    cause: ReversalCause,
  }),
});

/** A payout has ended; published once. `decision` holds the details of the decision that ended it, if any. */
export const payoutSettled = eventKind('merchant.payout-settled', {
  version: 1,
  data: Type.Object({
    reference: Type.String(),
    outcome: PayoutOutcome,
    reason: Type.String(),
    decision: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  }),
});

/** A paid payout was returned by the bank. Published once, after its `payoutSettled`. */
export const payoutReturned = eventKind('merchant.payout-returned', {
  version: 1,
  data: Type.Object({ reference: Type.String(), userId: ObjectIdShape, reason: Type.String() }),
});
