import type { ObjectId } from '../../../kernel/ids.ts';
import type { AccountName, AccountState, Movement } from './postings.model.ts';
import type { TransactionRecord, TransactionType } from './transactions.model.ts';

/** The columns of a new transaction. */
export interface NewTransaction extends Omit<TransactionRecord, 'metadata'> {
  /** JSON text, exactly as it was hashed. */
  metadata: string;
}

/** A movement together with its transaction. */
export interface PostedMovement extends Movement {
  transactionId: ObjectId;
  type: TransactionType;
}

export type Accounts = Map<AccountName, AccountState>;
