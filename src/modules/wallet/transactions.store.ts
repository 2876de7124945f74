import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import { type ObjectId, toReference } from '../../kernel/ids.ts';
import { mapPage, offsetOf, type Page, type PageRequest } from '../../kernel/pagination.ts';
import { type EntryRange, entryRangeOf, type Period } from './entry-ranges.store.ts';

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

export interface TransactionFilter extends Period {
  type?: TransactionType;
  status?: TransactionStatus;
}

export type TransactionView = ReturnType<typeof toView>;

const COLUMNS = `transaction.id, transaction.type, status, from_user_id as "fromUserId", to_user_id as "toUserId",
  transaction.amount, description, metadata, transaction.created_at as "createdAt", processed_at as "processedAt",
  entry.amount as change, balance_before as "balanceBefore", balance_after as "balanceAfter"`;

/** Selects entries by sequence number; `$4` keeps only transfers, `$5` only completed transactions. */
const page = statement<HistoryRow>(
  'wallet.history-page',
  `select ${COLUMNS}
   from wallet.entry join wallet.transaction on transaction.id = entry.transaction_id
   where account_id = $1 and seq > $2 and seq <= $3
     and (not $4 or entry.type = 'transfer')
     and (not $5 or status = 'completed')
   order by seq desc limit $6`,
);

/**
 * For a filter that most entries pass: counts the entries it excludes, and those of them that precede the passing entry
 * at offset `$4` (from 0).
 */
const leftOut = (name: string, condition: string) =>
  statement<{ total: number; skipped: number }>(
    name,
    `with missing as (
       select seq, row_number() over (order by seq desc) as place
       from wallet.entry where account_id = $1 and ${condition} and seq > $2 and seq <= $3
     )
     select count(*) as total, count(*) filter (where ($3 - seq) - (place - 1) <= $4) as skipped from missing`,
  );
const otherThanTransfers = leftOut('wallet.history-others', "type <> 'transfer'");
const unfinished = leftOut(
  'wallet.history-unfinished',
  `type <> 'transfer' and type = 'withdrawal'
   and exists (select from wallet.transaction where id = entry.transaction_id and status <> 'completed')`,
);

const OF_TYPE = `from wallet.entry where account_id = $1 and type <> 'transfer' and type = $2 and seq > $3 and seq <= $4`;
const WITH_STATUS = `and exists (select from wallet.transaction where id = entry.transaction_id and status = $5)`;
const countOf = (name: string, condition: string) =>
  statement<{ total: number }>(name, `select count(*) as total ${OF_TYPE} ${condition}`);
const countOfType = countOf('wallet.history-count-of-type', '');
const countWithStatus = countOf('wallet.history-count-with-status', WITH_STATUS);
/** Joins only the entries of the page. */
const pageOf = (name: string, condition: string, at: string) =>
  statement<HistoryRow>(
    name,
    `select ${COLUMNS}
     from (select * ${OF_TYPE} ${condition} order by seq desc ${at}) entry
     join wallet.transaction on transaction.id = entry.transaction_id order by seq desc`,
  );
const pageOfType = pageOf('wallet.history-of-type', '', 'limit $5 offset $6');
const pageWithStatus = pageOf('wallet.history-with-status', WITH_STATUS, 'limit $6 offset $7');

/** A member's transactions are the entries of their wallet, newest first; entries are numbered without gaps. */
export function transactionStore(database: Database) {
  /**
   * Returns a page of a filter that all but a few entries pass: all, transfers, completed. Locates the page by sequence
   * numbers and the positions of the excluded entries, so the last page is as fast as the first.
   */
  async function pageOfMost(
    { accountId, after, upTo }: EntryRange,
    { transfersOnly, completedOnly }: { transfersOnly: boolean; completedOnly: boolean },
    request: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const offset = offsetOf(request);
    const none = { total: 0, skipped: 0 };
    const left = transfersOnly ? otherThanTransfers : completedOnly ? unfinished : undefined;
    const [out = none] = left ? await database.all(left, [accountId, after, upTo, offset]) : [];
    const newest = upTo - offset - out.skipped;
    const items =
      newest <= after
        ? []
        : await database.all(page, [accountId, after, newest, transfersOnly, completedOnly, request.limit]);
    return { ...request, items, total: upTo - after - out.total };
  }

  /**
   * Returns a page of a filter that few entries pass: a type other than transfer, or a status only withdrawals have.
   */
  async function pageOfFew(
    { accountId, after, upTo }: EntryRange,
    { type, status }: { type: TransactionType; status: TransactionStatus | undefined },
    request: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const values = [accountId, type, after, upTo];
    const at = [request.limit, offsetOf(request)];
    const [[counted], items] = await (status === undefined
      ? Promise.all([database.all(countOfType, values), database.all(pageOfType, [...values, ...at])])
      : Promise.all([
          database.all(countWithStatus, [...values, status]),
          database.all(pageWithStatus, [...values, status, ...at]),
        ]));
    return { ...request, items, total: counted?.total ?? 0 };
  }

  return {
    async pageOf(
      userId: ObjectId,
      { type, status, ...period }: TransactionFilter,
      request: PageRequest,
    ): Promise<Page<TransactionView>> {
      const found = await entryRangeOf(database, userId, period);
      // Only withdrawals can have a status other than completed.
      const isOfFew = type !== undefined && type !== 'transfer';
      const isUnfinished = status !== undefined && status !== 'completed';
      if (!found || (isUnfinished && type !== undefined && type !== 'withdrawal')) {
        return { ...request, items: [], total: 0 };
      }
      const read =
        isOfFew || isUnfinished
          ? await pageOfFew(found, { type: type ?? 'withdrawal', status }, request)
          : await pageOfMost(
              found,
              { transfersOnly: type === 'transfer', completedOnly: status === 'completed' },
              request,
            );
      return mapPage(read, toView);
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

/** Returns a transaction as its owner sees it: with the balances of their own side only. */
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
