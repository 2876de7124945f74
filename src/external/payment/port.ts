import { failure } from '../../kernel/failures.ts';

export const paymentUnavailable = failure(503, 'PAYMENT_UNAVAILABLE', 'Payment service unavailable', {
  retryAfterSeconds: 5,
});
export const invalidSignature = failure(401, 'INVALID_SIGNATURE', 'The signature of the webhook is invalid');

export const invalidEvent = failure(400, 'INVALID_EVENT', 'The body is not an event of the payment provider');

/** The currency of all checkouts and payouts. */
export const CURRENCY = 'usd';

/** A checkout to open. Amounts are in cents of a US dollar. */
export interface NewCheckout {
  /** Identical for the same order, so that repeated requests open it once. */
  idempotencyKey: string;
  /** Description of the purchase, shown to the payer. */
  description: string;
  cents: number;
  successUrl: string;
  cancelUrl: string;
  /** Our reference, for people who read the provider's records. */
  reference: string;
}

export interface OpenedCheckout {
  sessionId: string;
  /** URL to which the payer is redirected. */
  url: string;
  expiresAt: Date;
}

export interface CheckoutState {
  sessionId: string;
  /** `open` until payment is known to have succeeded or failed, including while a slow payment method is pending. */
  status: 'open' | 'paid' | 'expired' | 'failed';
  cents: number;
  currency: string;
  /** The checkout's payment, once there is one. */
  paymentId: string | null;
  /** Our reference, as provided. */
  reference: string | null;
}

/** A payer's bank disputes a payment, or has reversed it. */
export interface DisputeState {
  disputeId: string;
  paymentId: string;
  cents: number;
  /**
   * `inquiry`: the bank only requests information; no money was withdrawn. `open` and `lost`: it was. `won`: it was
   * returned.
   */
  status: 'inquiry' | 'open' | 'lost' | 'won';
  reason: string;
}

export interface PayoutState {
  payoutId: string;
  /** Our reference, as provided. */
  reference: string;
  cents: number;
  currency: string;
  /**
   * `pending` until the money has left; only then can it possibly be cancelled. A `paid` payout may become `failed`
   * days later, when the bank returns the money.
   */
  status: 'pending' | 'paid' | 'failed' | 'cancelled';
  reason: string | null;
}

/** All that was refunded and disputed of a payment. */
export interface Reversals {
  /** The total, without refunds that have failed. */
  refundedCents: number;
  disputes: DisputeState[];
}

export interface FailedRefund {
  refundId: string;
  paymentId: string;
  cents: number;
}

/** An event reported by webhook. Events may arrive late, repeatedly or out of order. */
export type PaymentEvent =
  | { kind: 'checkout'; checkout: CheckoutState }
  | { kind: 'payout'; payout: PayoutState }
  /** The total refunded of a payment, in cents. */
  | { kind: 'refund'; paymentId: string; refundedCents: number }
  /** A refund that was reported before, and did not reach the payer. */
  | { kind: 'failed-refund'; refund: FailedRefund }
  | { kind: 'dispute'; dispute: DisputeState };

/** Past events, oldest first, and those that are no event as the provider documents them. */
export interface PastEvents {
  events: PaymentEvent[];
  unreadable: { id: string; type: string }[];
}

/** The provider rejected the request; a retry would be rejected too. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/** The provider answered about one object what cannot be read, or about another one: the cause of paymentUnavailable then. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** Whether the provider is unavailable for all; an answer about one object that cannot be read is the same the next time. */
export const isOutage = (error: unknown): boolean =>
  paymentUnavailable.is(error) && !((error as Error).cause instanceof UnreadableAnswer);

/** For a caller who waits: what the provider refused when it was asked about a payment says nothing about the payment. */
export function asUnavailable(error: unknown): never {
  throw error instanceof PaymentRefused ? Object.assign(paymentUnavailable(), { cause: error }) : error;
}

/**
 * The provider that collects payments and makes payouts. Every call has a timeout and a bounded number of attempts.
 * @throws paymentUnavailable when it is unreachable or responds invalidly, PaymentRefused for a rejection
 */
export interface PaymentProvider {
  /** Minimum and maximum amount of one checkout, in cents. */
  limits: { min: number; max: number };
  /** Maximum amount of one payout, in cents. */
  maxPayoutCents: number;
  openCheckout(checkout: NewCheckout): Promise<OpenedCheckout>;
  /** Returns the state of a checkout; undefined when the provider does not know it. */
  checkout(sessionId: string): Promise<CheckoutState | undefined>;
  /** Returns what was refunded and disputed of a payment, which it must know. */
  reversalsOf(paymentId: string): Promise<Reversals>;
  /** Returns the checkout of a payment. */
  checkoutOfPayment(paymentId: string): Promise<CheckoutState | undefined>;
  /** Makes a payout; a repetition with the same key within a day returns the existing payout. */
  createPayout(payout: { idempotencyKey: string; cents: number; reference: string }): Promise<PayoutState>;
  payout(payoutId: string): Promise<PayoutState | undefined>;
  /**
   * Returns the payout with our reference that was made at that time or later; of several one that was paid. Where it throws
   * PaymentRefused, also because there are too many payouts to look through, that says nothing about the payout.
   */
  payoutOf(reference: string, since: Date): Promise<PayoutState | undefined>;
  /**
   * Cancels a payout if that is still possible, and returns its resulting state in either case; undefined when the provider
   * does not know it.
   */
  cancelPayout(payoutId: string): Promise<PayoutState | undefined>;
  /**
   * Returns the events since a time, oldest first, whether or not they were reported by webhooks. The provider keeps them for
   * 30 days.
   * @throws PaymentRefused also when there are too many
   */
  eventsSince(since: Date): Promise<PastEvents>;
  /**
   * Parses a webhook; returns undefined for event types that are not handled.
   * @param body the unparsed body, byte for byte
   * @throws invalidSignature, or invalidEvent when the body is signed but malformed
   */
  readEvent(body: string, signature: string): Promise<PaymentEvent | undefined>;
}
