import type { Period } from '../ledger/entry-ranges.model.ts';
import type { TransactionRecord, TransactionStatus, TransactionType } from '../ledger/transactions.model.ts';

export interface TransactionFilter extends Period {
  type?: TransactionType;
  status?: TransactionStatus;
}

/** A transaction with its entry in the wallet whose history is read. */
export interface HistoryRow extends TransactionRecord {
  /** In ISO 8601. */
  createdAt: string;
  processedAt: string | null;
  change: number;
  balanceBefore: number;
  balanceAfter: number;
}
