import { readBacklog } from '../../../kernel/database/backlog.ts';
import type { Database } from '../../../kernel/database/database.ts';
import {
  type Page,
  type PageRequest,
  type PageSummary,
  readPage,
} from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import { highestIdAt, type ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { SUMS } from '../ledger/sums.store.ts';
import type { Withdrawal, WithdrawalFilter } from './withdrawals.model.ts';

const COLUMNS = 'id, status, to_user_id as user_id, amount, description, metadata, created_at, processed_at';

// Ids begin with the second of their creation, so older withdrawals are a range of an index.
const MATCHING = `wallet.transaction where type = 'withdrawal'
  and ($1::text is null or status = $1) and ($2::text is null or to_user_id = $2)
  and ($3::timestamptz is null or (id <= $4 and created_at < $3))`;
const valuesOf = ({ status, userId, olderThan }: WithdrawalFilter) => [
  status ?? null,
  userId ?? null,
  olderThan ?? null,
  olderThan ? highestIdAt(olderThan) : null,
];

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

    /** Returns how many withdrawals are pending; served by transaction_withdrawals_by_status. */
    backlog: () =>
      readBacklog(
        database,
        `select created_at as at from wallet.transaction where type = 'withdrawal' and status = 'pending' order by id`,
      ),

    /** Returns withdrawals newest first. */
    pageOf(filter: WithdrawalFilter, page: PageRequest): Promise<Page<Withdrawal>> {
      const paged = { columns: COLUMNS, from: MATCHING, orderBy: 'id desc', isGrowing: true };
      return readPage<Withdrawal>(database, paged, valuesOf(filter), page);
    },

    /** Returns the sums of all withdrawals that a filter matches. */
    summaryOf: async (filter: WithdrawalFilter): Promise<PageSummary> =>
      only(await database.all<PageSummary>(`select ${SUMS} from ${MATCHING}`, valuesOf(filter))),

    /**
     * Returns the withdrawal with the digest for hashing its further entries. Locks it, so that only one caller can end
     * it.
     */
    lock: (tx: Transaction, id: ObjectId): Promise<(Withdrawal & { digest: string }) | undefined> =>
      tx.first(lockById, [id]),
  };
}

export type WithdrawalStore = ReturnType<typeof withdrawalStore>;
