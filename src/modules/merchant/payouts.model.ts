import type { ObjectId } from '../../kernel/ids.ts';
import type { PayoutOutcome } from './contract.ts';
import type { Due } from './due.model.ts';

export interface Payout extends Due {
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
  /** Whether the provider has paid another amount than was ordered, so that a person decides how it ends. */
  mispaid: boolean;
  /** What it has paid then. */
  paidCents: number | null;
  paidCurrency: string | null;
  createdAt: Date;
}
