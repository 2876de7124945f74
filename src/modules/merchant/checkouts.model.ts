import type { ObjectId } from '../../kernel/ids.ts';
import type { CheckoutStatus } from './contract.ts';
import type { Due } from './due.model.ts';

export interface Checkout extends Due {
  sessionId: string;
  userId: ObjectId;
  purpose: string;
  details: Record<string, unknown>;
  cents: number;
  status: CheckoutStatus;
  providerStatus: CheckoutStatus | null;
  paymentId: string | null;
  refundedCents: number;
  /** The reason of a failure. */
  reason: string | null;
  expiresAt: Date;
  /** Whether the provider will be asked about it. */
  isAwaited: boolean;
}

/** Returns the fields of a checkout for its events. */
export const eventDataOf = ({ id, sessionId, purpose, userId, cents, details }: Checkout) => ({
  checkoutId: id,
  sessionId,
  purpose,
  userId,
  cents,
  details,
});
