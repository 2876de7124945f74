import { failure } from '../../kernel/failures.ts';

export const paymentUnavailable = failure(503, 'PAYMENT_UNAVAILABLE', 'Payment service unavailable', {
  retryAfterSeconds: 5,
});
export const invalidSignature = failure(401, 'INVALID_SIGNATURE', 'The signature of the webhook is not good');

export const invalidEvent = failure(400, 'INVALID_EVENT', 'The body is no event of the payment provider');

/** Money is counted in cents of a US dollar. */
interface NewCheckout {
  /** The same for the same order, so that it is opened once however often it is asked for. */
  idempotencyKey: string;
  /** What is bought, as the payer reads it. */
  description: string;
  cents: number;
  successUrl: string;
  cancelUrl: string;
  /** Ours, for people who look at the provider's records. */
  reference: string;
}

interface OpenedCheckout {
  sessionId: string;
  /** Where the payer goes. */
  url: string;
  expiresAt: Date;
}

export interface CheckoutState {
  sessionId: string;
  /** `open` until it is known whether it was paid, also while a slow method of payment is under way. */
  status: 'open' | 'paid' | 'expired' | 'failed';
  cents: number;
  currency: string;
  /** The payment behind it, once there is one. */
  paymentId: string | null;
  /** Ours, as it was given. */
  reference: string | null;
}

/** A payer's bank questions a payment, or has taken its money back. */
export interface DisputeState {
  disputeId: string;
  paymentId: string;
  cents: number;
  /** `inquiry`: the bank only asks, no money is gone. `open` and `lost`: it is gone. `won`: it is back. */
  status: 'inquiry' | 'open' | 'lost' | 'won';
  reason: string;
}

export interface PayoutState {
  payoutId: string;
  /** Ours, as it was given. */
  reference: string;
  /**
   * `pending` until the money has left; only then, and not for sure, can it be cancelled. One that was `paid` may be
   * `failed` days later, when the bank sends the money back.
   */
  status: 'pending' | 'paid' | 'failed' | 'cancelled';
  reason: string | null;
}

/** What the provider tells by webhook. It may come late, twice, or in another order than it happened. */
export type PaymentEvent =
  | { kind: 'checkout'; checkout: CheckoutState }
  | { kind: 'payout'; payout: PayoutState }
  /** All that was ever paid back of a payment, in cents. */
  | { kind: 'refund'; paymentId: string; refundedCents: number }
  | { kind: 'dispute'; dispute: DisputeState };

/** The provider refused, and would refuse again. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}

/**
 * Who takes money for us and pays it out. Every call has a timeout and a bounded number of attempts.
 * @throws paymentUnavailable when it can't be reached or answers nonsense, PaymentRefused for a refusal
 */
export interface PaymentProvider {
  /** What one checkout may cost, in cents. */
  limits: { least: number; most: number };
  /** The most that one payout may be worth, in cents. */
  maxPayoutCents: number;
  openCheckout(checkout: NewCheckout): Promise<OpenedCheckout>;
  /** Undefined when the provider does not know it. */
  checkout(sessionId: string): Promise<CheckoutState | undefined>;
  /** The checkout that a payment came from. */
  checkoutOfPayment(paymentId: string): Promise<CheckoutState | undefined>;
  /** Pays out; asked again with the same key it answers the payout that there is. */
  createPayout(payout: { idempotencyKey: string; cents: number; reference: string }): Promise<PayoutState>;
  payout(payoutId: string): Promise<PayoutState | undefined>;
  /** Cancels a payout if that is still possible, and answers what became of it either way. */
  cancelPayout(payoutId: string): Promise<PayoutState>;
  /**
   * Reads a webhook; undefined for kinds that are none of ours.
   * @param body as it came, byte for byte
   * @throws invalidSignature, and then invalidEvent for what is signed and yet no event
   */
  readEvent(body: string, signature: string): PaymentEvent | undefined;
}
