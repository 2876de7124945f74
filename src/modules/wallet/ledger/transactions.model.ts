import { type ObjectId, toReference } from '../../../kernel/ids.ts';

export const TRANSACTION_TYPES = ['fund', 'transfer', 'withdrawal', 'refund'] as const;

export const TRANSACTION_STATUSES = ['pending', 'completed', 'failed', 'cancelled'] as const;

export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A transaction without its entries and timestamps. */
export interface TransactionRecord {
  id: ObjectId;
  type: TransactionType;
  status: TransactionStatus;
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  amount: number;
  description: string;
  metadata: Record<string, unknown>;
}

/** Returns the public reference of a transaction, which differs from the record's `_id`. */
export const transactionIdOf = (id: ObjectId): string => toReference('txn', id);
