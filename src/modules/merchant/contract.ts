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
  /**
   * Ends a payout by decision of a member or an operator, if it has not ended yet; `also` is written with it.
   * @throws payoutEnded, payoutUnderWay, paymentUnavailable
   */
  decidePayout(
    reference: string,
    decision: { outcome: PayoutOutcome; reason: string; also: (tx: Transaction) => Promise<void> },
  ): Promise<void>;
}

export const priceOutOfRange = failure(
  400,
  'PRICE_OUT_OF_RANGE',
  'The price is less or more than the payment provider takes',
);
export const payoutEnded = failure(409, 'PAYOUT_ENDED', 'The payout has already ended otherwise');
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

/** Money of a paid checkout was paid back; `refundedCents` is the sum so far. */
export const checkoutRefunded = eventKind('merchant.checkout-refunded', {
  version: 1,
  data: Type.Object({ ...checkoutData, refundedCents: Type.Integer() }),
});

/** A payout has ended; published once. */
export const payoutSettled = eventKind('merchant.payout-settled', {
  version: 1,
  data: Type.Object({ reference: Type.String(), outcome: PayoutOutcome, reason: Type.String() }),
});
