import type { ObjectId } from '../../kernel/ids.ts';

export interface Checkout {
  id: ObjectId;
  sessionId: string;
  userId: ObjectId;
  purpose: string;
  details: Record<string, unknown>;
  cents: number;
  status: 'open' | 'paid' | 'expired' | 'failed';
  paymentId: string | null;
  refundedCents: number;
  /** The reason of a failure. */
  reason: string | null;
  expiresAt: Date;
}
