import type { ObjectId } from '../../../kernel/ids.ts';
import type { TransactionStatus, TransactionType } from '../ledger/transactions.model.ts';

/** An entry of a wallet, with the id and fields of its transaction. */
export interface StatementEntry {
  seq: number;
  at: Date;
  id: ObjectId;
  type: TransactionType;
  status: TransactionStatus;
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  description: string;
  /** Signed; negative for outgoing Keys. */
  change: number;
  balanceAfter: number;
}
