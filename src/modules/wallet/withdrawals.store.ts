import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { mapPage, type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import { type TransactionRecord, type TransactionStatus, transactionIdOf } from './transactions.store.ts';

/** A withdrawal is a transaction whose status moves. */
export interface Withdrawal extends Omit<TransactionRecord, 'fromUserId' | 'toUserId' | 'type'> {
  userId: ObjectId;
  createdAt: Date;
  processedAt: Date | null;
}

export interface WithdrawalFilter {
  status?: TransactionStatus;
  userId?: ObjectId;
}

interface Tables {
  'wallet.transaction': {
    id: string;
    type: 'withdrawal';
    status: TransactionStatus;
    to_user_id: string;
    amount: number;
    description: string;
    metadata: Record<string, unknown>;
    created_at: Date;
    processed_at: Date | null;
  };
}

export function withdrawalStore(database: Database) {
  const withdrawals = (queries: Queries = database) =>
    queries
      .tables<Tables>()
      .selectFrom('wallet.transaction')
      .where('type', '=', sql.lit('withdrawal'))
      .select(['id', 'status', 'to_user_id as userId', 'amount', 'description', 'metadata'])
      .select(['created_at as createdAt', 'processed_at as processedAt']);

  return {
    find: (id: ObjectId, queries?: Queries): Promise<Withdrawal | undefined> =>
      withdrawals(queries).where('id', '=', id).executeTakeFirst(),

    /** Newest first. */
    async pageOf({ status, userId }: WithdrawalFilter, page: PageRequest): Promise<Page<WithdrawalView>> {
      const query = withdrawals()
        .$if(status !== undefined, (all) => all.where('status', '=', status as TransactionStatus))
        .$if(userId !== undefined, (all) => all.where('to_user_id', '=', userId as ObjectId))
        .orderBy('id', 'desc');
      return mapPage(await readPage(query, page), toView);
    },

    /** The withdrawal and what its further entries are hashed with; nobody else ends it until the transaction does. */
    async lock(tx: Transaction, id: ObjectId): Promise<(Withdrawal & { digest: string }) | undefined> {
      return withdrawals(tx)
        .select(sql<string>`wallet.transaction_digest(transaction)`.as('digest'))
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
    },
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
