import type { ObjectId } from '../../../kernel/ids.ts';
import type { TransactionRecord, TransactionStatus, TransactionType } from '../ledger/transactions.model.ts';

export interface AllTransactionsFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
  /** Only transactions in this member's wallet. */
  userId?: ObjectId | undefined;
  /** In Keys. */
  minAmount?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  checkoutSessionId?: string | undefined;
}

/** A transaction with the changes of its members' wallets. */
export interface RecordedTransaction extends TransactionRecord {
  createdAt: Date;
  processedAt: Date | null;
  /** Of the wallet of `fromUserId`; null if there is no such member. */
  fromChange: WalletChange | null;
  /** Of the wallet of `toUserId`, from which the Keys of a withdrawal are taken; null if there is no such member. */
  toChange: WalletChange | null;
}

export interface WalletChange {
  change: number;
  balanceBefore: number;
  balanceAfter: number;
}
