import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Withdrawal, WithdrawalFilter } from './withdrawals.model.ts';

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
    pageOf({ status, userId }: WithdrawalFilter, page: PageRequest): Promise<Page<Withdrawal>> {
      const from = `wallet.transaction where type = 'withdrawal'
        and ($1::text is null or status = $1) and ($2::text is null or to_user_id = $2)`;
      const paged = { columns: COLUMNS, from, orderBy: 'id desc' };
      const values = [status ?? null, userId ?? null];
      return readPage<Withdrawal>(database, paged, values, page);
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
