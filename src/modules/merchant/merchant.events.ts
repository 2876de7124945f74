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

/** Money of a paid checkout was paid back: so much in all, by now. */
export const checkoutRefunded = eventKind<OfCheckout & { refundedCents: number }>(
  'merchant.checkout-refunded',
);

export type PayoutOutcome = 'paid' | 'failed' | 'cancelled';

/** It is known how a payout ended; told once. */
export const payoutSettled = eventKind<{ reference: string; outcome: PayoutOutcome; reason: string }>(
  'merchant.payout-settled',
);
