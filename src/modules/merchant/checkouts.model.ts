import type { ObjectId } from '../../kernel/ids.ts';
import type { CheckoutStatus } from './contract.ts';

export interface Checkout {
  id: ObjectId;
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
}
