import type { ObjectId } from '../../kernel/ids.ts';
import type { PayoutOutcome } from './contract.ts';

export interface Payout {
  id: ObjectId;
  reference: string;
  userId: ObjectId;
  cents: number;
  status: 'queued' | 'submitting' | 'submitted' | PayoutOutcome | 'returned' | 'overpaid';
  providerId: string | null;
  /** The outcome if the provider cancels the payout at the platform's request. */
  ending: PayoutOutcome | null;
  reason: string | null;
  /** The id of the decision that set `ending` or ended the payout. */
  decisionId: string | null;
  decision: Record<string, unknown> | null;
  createdAt: Date;
}
