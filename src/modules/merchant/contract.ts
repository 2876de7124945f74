import { type Static, Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { eventKind } from '../../kernel/events.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

/** What a module wants a member to pay for. */
export interface Order {
  /** Names the module's kind of order; comes back with the event. */
  purpose: string;
  userId: ObjectId;
  /** As the payer reads it. */
  description: string;
  cents: number;
  /** Stored with the checkout and passed on with its events. */
  details: Record<string, unknown>;
  /** Absolute http(s) URLs; the installation's own by default. */
  successUrl?: string;
  cancelUrl?: string;
  /** The same for the same order, so that it is opened once. */
  idempotencyKey: string;
}

/** A hosted checkout that waits for its payer. */
export interface OpenCheckout {
  sessionId: string;
  url: string;
  expiresAt: Date;
}

const PayoutOutcome = oneOf(['paid', 'failed', 'cancelled']);
export type PayoutOutcome = Static<typeof PayoutOutcome>;

/** How a payout is to end, by a decision. */
export interface PayoutDecision {
  /** The same for the same request. */
  id: string;
  outcome: PayoutOutcome;
  reason: string;
  /** Published with `payoutSettled`, should the payout end so. */
  details: Record<string, unknown>;
}

/** Takes money in and pays it out for other modules, and reports the outcome by events. */
export interface Merchant {
  /**
   * Opens a hosted checkout. `also` is written in the transaction that stores it.
   * @throws paymentUnavailable, which leaves nothing behind; priceOutOfRange
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
  /** The most that one payout may be worth, in cents. */
  maxPayoutCents: number;
  /**
   * Ends a payout by decision of a member or an operator, if it is still to be decided; `also` is written with the
   * answer, and `payoutSettled` carries the decision's details.
   * @returns false when the payout ended otherwise; nothing of the decision remains then
   * @throws payoutUnderWay, and nothing of the decision remains; paymentUnavailable
   */
  decidePayout(
    reference: string,
    decision: PayoutDecision,
    also: (tx: Transaction) => Promise<void>,
  ): Promise<boolean>;
}

export const priceOutOfRange = failure(
  400,
  'PRICE_OUT_OF_RANGE',
  'The price is less or more than the payment provider takes',
);
export const payoutUnderWay = failure(
  409,
  'PAYOUT_UNDER_WAY',
  'The payout is on its way and cannot be stopped any more',
);

const checkoutData = {
  checkoutId: ObjectIdShape,
  sessionId: Type.String({ description: "The provider's identifier" }),
  purpose: Type.String(),
  userId: ObjectIdShape,
  cents: Type.Integer(),
  details: Type.Record(Type.String(), Type.Unknown(), { description: 'As the order gave them' }),
};

/** A checkout was paid; published once. */
export const checkoutPaid = eventKind('merchant.checkout-paid', {
  version: 1,
  data: Type.Object(checkoutData),
});

/** What moved the money of a paid checkout. */
const ReversalCause = Type.Union([
  Type.Object({ kind: oneOf(['refund']), refundedCents: Type.Integer() }),
  Type.Object({
    kind: oneOf(['dispute', 'dispute-won']),
    disputeId: Type.String(),
    disputedCents: Type.Integer(),
  }),
]);
export type ReversalCause = Static<typeof ReversalCause>;

/** Money of a paid checkout was refunded or disputed, or returned from a dispute; `reversedCents` is the sum now gone. */
export const checkoutReversed = eventKind('merchant.checkout-reversed', {
  version: 1,
  data: Type.Object({
    ...checkoutData,
    reversedCents: Type.Integer(),
    changedCents: Type.Optional(
      Type.Integer({ description: 'How much of it is new; negative when money returned' }),
    ),
    cause: ReversalCause,
  }),
});

/** A payout has ended; published once. `decision` are the details of the decision that ended it, if one did. */
export const payoutSettled = eventKind('merchant.payout-settled', {
  version: 1,
  data: Type.Object({
    reference: Type.String(),
    outcome: PayoutOutcome,
    reason: Type.String(),
    decision: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  }),
});

/** A payout that had been paid failed after all: the money is back. Published once, after its `payoutSettled`. */
export const payoutReturned = eventKind('merchant.payout-returned', {
  version: 1,
  data: Type.Object({ reference: Type.String(), userId: ObjectIdShape, reason: Type.String() }),
});
