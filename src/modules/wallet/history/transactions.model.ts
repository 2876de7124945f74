import type { Period } from '../ledger/entry-ranges.model.ts';
import type { TransactionRecord, TransactionStatus, TransactionType } from '../ledger/transactions.model.ts';

export interface TransactionFilter extends Period {
  type?: TransactionType;
  status?: TransactionStatus;
}

/** A transaction with its entry in the wallet whose history is read. */
export interface HistoryRow extends TransactionRecord {
  createdAt: Date;
  processedAt: Date | null;
  change: number;
  balanceBefore: number;
  balanceAfter: number;
}
