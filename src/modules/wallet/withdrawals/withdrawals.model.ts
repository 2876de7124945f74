import type { ObjectId } from '../../../kernel/ids.ts';
import type { TransactionRecord, TransactionStatus } from '../ledger/transactions.model.ts';

/** The final states of a withdrawal. */
export const WITHDRAWAL_OUTCOMES = ['completed', 'failed', 'cancelled'] as const;
export type WithdrawalOutcome = (typeof WITHDRAWAL_OUTCOMES)[number];

/** A withdrawal: a transaction whose status changes. */
export interface Withdrawal extends Omit<TransactionRecord, 'fromUserId' | 'toUserId' | 'type'> {
  userId: ObjectId;
  createdAt: Date;
  processedAt: Date | null;
}

export interface WithdrawalFilter {
  status?: TransactionStatus | undefined;
  userId?: ObjectId | undefined;
  /** Only withdrawals requested before this instant. */
  olderThan?: Date | undefined;
}
