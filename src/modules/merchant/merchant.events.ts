import { eventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';

interface OfCheckout {
  checkoutId: ObjectId;
  /** The provider's. */
  sessionId: string;
  purpose: string;
  userId: ObjectId;
  cents: number;
  /** As the order gave them. */
  details: Record<string, unknown>;
}

/** A checkout was paid; told once. */
export const checkoutPaid = eventKind<OfCheckout>('merchant.checkout-paid');

/** What moved the money of a paid checkout. */
export type ReversalCause =
  | { kind: 'refund'; refundedCents: number }
  | { kind: 'dispute' | 'dispute-won'; disputeId: string; disputedCents: number };

/**
 * Money of a paid checkout was refunded or disputed, or came back from a dispute: so much of it is gone in all, by now.
 */
export const checkoutReversed = eventKind<OfCheckout & { reversedCents: number; cause: ReversalCause }>(
  'merchant.checkout-reversed',
);

export type PayoutOutcome = 'paid' | 'failed' | 'cancelled';

/** It is known how a payout ended; told once. */
export const payoutSettled = eventKind<{
  reference: string;
  outcome: PayoutOutcome;
  reason: string;
  /** As the decision gave them that ended it; null for a payout that ended by itself. */
  decision: Record<string, unknown> | null;
}>('merchant.payout-settled');

/** A payout that had been paid failed after all: the money is back. Told once, after its `payoutSettled`. */
export const payoutReturned = eventKind<{ reference: string; userId: ObjectId; reason: string }>(
  'merchant.payout-returned',
);
