import type { Kysely } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import { type ObjectId, toReference } from '../../kernel/ids.ts';
import { mapPage, offsetOf, type Page, type PageRequest, readPage } from '../../kernel/pages.ts';

export const TRANSACTION_TYPES = ['fund', 'transfer', 'withdrawal', 'refund'] as const;
export const TRANSACTION_STATUSES = ['pending', 'completed', 'failed', 'cancelled'] as const;
type TransactionType = (typeof TRANSACTION_TYPES)[number];
type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** What a transaction is, but for its entries and its times. */
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

/** A transaction's own unique string, different from its record's `_id`. */
export const transactionIdOf = (id: ObjectId): string => toReference('txn', id);

interface Tables {
  'wallet.account': { id: string; name: string; last_seq: number };
  'wallet.entry': {
    account_id: string;
    seq: number;
    transaction_id: string;
    amount: number;
    balance_before: number;
    balance_after: number;
  };
  'wallet.transaction': {
    id: string;
    type: TransactionType;
    status: TransactionStatus;
    from_user_id: string | null;
    to_user_id: string | null;
    amount: number;
    description: string;
    metadata: Record<string, unknown>;
    created_at: Date;
    processed_at: Date | null;
  };
}

export interface TransactionFilter {
  type?: TransactionType;
  status?: TransactionStatus;
  from?: Date;
  to?: Date;
}

export type TransactionView = ReturnType<typeof toView>;

/** A member's transactions are the entries of their wallet, newest first; entries are numbered without a gap. */
export function transactionStore(database: Database) {
  const tables = (): Kysely<Tables> => database.tables<Tables>();

  const history = (accountId: ObjectId) =>
    tables()
      .selectFrom('wallet.entry as entry')
      .innerJoin('wallet.transaction as transaction', 'transaction.id', 'entry.transaction_id')
      .where('entry.account_id', '=', accountId)
      .select([
        'transaction.id',
        'type',
        'status',
        'from_user_id as fromUserId',
        'to_user_id as toUserId',
        'transaction.amount',
        'description',
        'metadata',
        'transaction.created_at as createdAt',
        'processed_at as processedAt',
        'entry.amount as change',
        'balance_before as balanceBefore',
        'balance_after as balanceAfter',
      ])
      .orderBy('entry.seq', 'desc');

  /** Without a filter the numbers of the entries say where a page is: as fast on the last page as on the first. */
  async function wholeHistory(
    accountId: ObjectId,
    lastSeq: number,
    page: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const newest = lastSeq - offsetOf(page);
    const items = await history(accountId)
      .where('entry.seq', '<=', newest)
      .where('entry.seq', '>', newest - page.limit)
      .execute();
    return { ...page, items, total: lastSeq };
  }

  return {
    async pageOf(
      userId: ObjectId,
      filter: TransactionFilter,
      page: PageRequest,
    ): Promise<Page<TransactionView>> {
      const account = await tables()
        .selectFrom('wallet.account')
        .select(['id', 'last_seq as lastSeq'])
        .where('name', '=', `wallet:${userId}`)
        .executeTakeFirst();
      if (!account) return { ...page, items: [], total: 0 };
      const { type, status, from, to } = filter;
      if (!type && !status && !from && !to) {
        return mapPage(await wholeHistory(account.id, account.lastSeq, page), toView);
      }
      const filtered = history(account.id)
        .$if(type !== undefined, (query) => query.where('type', '=', type as TransactionType))
        .$if(status !== undefined, (query) => query.where('status', '=', status as TransactionStatus))
        .$if(from !== undefined, (query) => query.where('transaction.created_at', '>=', from as Date))
        .$if(to !== undefined, (query) => query.where('transaction.created_at', '<=', to as Date));
      return mapPage(await readPage(filtered, page), toView);
    },
  };
}

export type TransactionStore = ReturnType<typeof transactionStore>;

interface HistoryRow extends TransactionRecord {
  createdAt: Date;
  processedAt: Date | null;
  change: number;
  balanceBefore: number;
  balanceAfter: number;
}

/** As its owner sees it: with the balances of their own side, not of the other's. */
function toView({ id, change, balanceBefore, balanceAfter, ...row }: HistoryRow) {
  const isSender = change < 0;
  return {
    ...row,
    transactionId: transactionIdOf(id),
    currency: 'Keys' as const,
    fee: 0,
    netAmount: row.amount,
    fromBalanceBefore: isSender ? balanceBefore : null,
    fromBalanceAfter: isSender ? balanceAfter : null,
    toBalanceBefore: isSender ? null : balanceBefore,
    toBalanceAfter: isSender ? null : balanceAfter,
  };
}
