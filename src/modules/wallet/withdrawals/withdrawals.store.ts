import type { Database } from '../../../kernel/database/database.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import {
  type TransactionRecord,
  type TransactionStatus,
  transactionIdOf,
} from '../history/transactions.store.ts';

/** A withdrawal is a transaction whose status changes. */
export interface Withdrawal extends Omit<TransactionRecord, 'fromUserId' | 'toUserId' | 'type'> {
  userId: ObjectId;
  createdAt: Date;
  processedAt: Date | null;
}

export interface WithdrawalFilter {
  status?: TransactionStatus;
  userId?: ObjectId;
}

const COLUMNS = 'id, status, to_user_id as user_id, amount, description, metadata, created_at, processed_at';

const byId = statement<Withdrawal>(
  'wallet.withdrawal',
  `select ${COLUMNS} from wallet.transaction where type = 'withdrawal' and id = $1`,
);
const lockById = statement<Withdrawal & { digest: string }>(
  'wallet.lock-withdrawal',
  `select ${COLUMNS}, wallet.transaction_digest(transaction) as digest
   from wallet.transaction where type = 'withdrawal' and id = $1 for update`,
);

export function withdrawalStore(database: Database) {
  return {
    find: (id: ObjectId, queries: Queries = database): Promise<Withdrawal | undefined> =>
      queries.first(byId, [id]),

    /** Returns withdrawals newest first. */
    async pageOf({ status, userId }: WithdrawalFilter, page: PageRequest): Promise<Page<WithdrawalView>> {
      const from = `wallet.transaction where type = 'withdrawal'
        and ($1::text is null or status = $1) and ($2::text is null or to_user_id = $2)`;
      const paged = { columns: COLUMNS, from, orderBy: 'id desc' };
      const values = [status ?? null, userId ?? null];
      return mapPage(await readPage<Withdrawal>(database, paged, values, page), toView);
    },

    /**
     * Returns the withdrawal with the digest for hashing its further entries. Locks it, so that only one caller can end
     * it.
     */
    lock: (tx: Transaction, id: ObjectId): Promise<(Withdrawal & { digest: string }) | undefined> =>
      tx.first(lockById, [id]),
  };
}

export type WithdrawalStore = ReturnType<typeof withdrawalStore>;
export type WithdrawalView = ReturnType<typeof toView>;

export const toView = ({ id, ...withdrawal }: Withdrawal) => ({
  ...withdrawal,
  _id: id,
  transactionId: transactionIdOf(id),
  type: 'withdrawal' as const,
  currency: 'Keys' as const,
});
