import type { Database } from '../../../kernel/database/database.ts';
import type { PackedRow } from '../../../kernel/database/packed-rows.ts';
import { offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { type Statement, statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { EntryRange } from '../ledger/entry-ranges.model.ts';
import { entryRangeOf } from '../ledger/entry-ranges.store.ts';
import type { TransactionRecord, TransactionStatus, TransactionType } from '../ledger/transactions.model.ts';
import { HISTORY_ROW, historyRow } from './history-rows.store.ts';
import type { HistoryRow, TransactionFilter } from './transactions.model.ts';

/**
 * Selects a page of all entries of a wallet, in one statement; `$2` is the offset. Each row has the total. A page
 * without entries is one row without a transaction; without a wallet there is no row.
 */
const pageOfWallet = statement<PackedRow & { total: number }>(
  'wallet.history',
  `select last_seq as total, ${HISTORY_ROW}
   from wallet.account
   left join wallet.entry on account_id = account.id and seq > last_seq - $2::bigint - $3::bigint and seq <= last_seq - $2
   left join wallet.transaction on transaction.id = entry.transaction_id
   where name = $1
   order by seq desc`,
);

/** Selects entries by sequence number; `$4` keeps only transfers, `$5` only completed transactions. */
const page = statement<PackedRow>(
  'wallet.history-page',
  `select ${HISTORY_ROW}
   from wallet.entry join wallet.transaction on transaction.id = entry.transaction_id
   where account_id = $1 and seq > $2 and seq <= $3
     and (not $4 or entry.type = 'transfer')
     and (not $5 or status = 'completed')
   order by seq desc limit $6`,
);

/** Locates the transfer at offset `$4` of a range; `newest` is 0 if the range has fewer transfers. */
const transferAt = statement<{ total: number; newest: number }>(
  'wallet.history-transfer-at',
  `with ends as materialized (
     select $2::bigint - wallet.others_at($1, $2) as before, $3::bigint - wallet.others_at($1, $3) as upto
   )
   select upto - before as total,
     case when upto - $4 > before then wallet.transfer_at($1, $3, upto - $4) else 0 end as newest
   from ends`,
);

/** Counts the unfinished withdrawals of a range, and those that precede the finished entry at offset `$4`. */
const unfinished = statement<{ total: number; skipped: number }>(
  'wallet.history-unfinished',
  `with missing as (
     select seq, row_number() over (order by seq desc) as place
     from wallet.entry where account_id = $1 and type <> 'transfer' and type = 'withdrawal' and seq > $2 and seq <= $3
       and exists (select from wallet.transaction where id = entry.transaction_id and status <> 'completed')
   )
   select count(*) as total, count(*) filter (where ($3 - seq) - (place - 1) <= $4) as skipped from missing`,
);

const typeSeqAt = (seq: string) =>
  `coalesce((select type_seq from wallet.entry
     where account_id = $1 and type <> 'transfer' and type = $2 and seq <= ${seq} order by seq desc limit 1), 0)`;
/** The running numbers of a type within a range: greater than `after`, up to and including `upTo`. */
const rangeOfType = statement<{ after: number; upTo: number }>(
  'wallet.history-range-of-type',
  `select ${typeSeqAt('$3')} as after, ${typeSeqAt('$4')} as "upTo"`,
);
/**
 * Selects entries of a type by running number. Has no condition on `seq`, for which the planner would choose another
 * index and sort.
 */
const pageOfType = statement<PackedRow>(
  'wallet.history-of-type',
  `select ${HISTORY_ROW}
   from (select * from wallet.entry where account_id = $1 and type <> 'transfer' and type = $2
     and type_seq > $3 and type_seq <= $4 order by type_seq desc limit $5) entry
   join wallet.transaction on transaction.id = entry.transaction_id order by seq desc`,
);

/** A transaction `$2` of a wallet. Entries have its time, so only those of one instant are scanned. */
const OF_WALLET = `from wallet.transaction
   join wallet.account on name = $1
   join wallet.entry on account_id = account.id and transaction_id = transaction.id
     and seq > wallet.seq_at(account.id, last_seq, transaction.created_at - interval '1 microsecond')
     and seq <= wallet.seq_at(account.id, last_seq, transaction.created_at)
   where transaction.id = $2`;
const oneOfWallet = statement<PackedRow>('wallet.history-transaction', `select ${HISTORY_ROW} ${OF_WALLET}`);
/** The position of a transaction among the entries of a wallet. */
const seqOfTransaction = statement<{ seq: number }>(
  'wallet.history-seq-of-transaction',
  `select entry.seq ${OF_WALLET}`,
);

const WITH_STATUS = `from wallet.entry where account_id = $1 and type <> 'transfer' and type = 'withdrawal'
   and seq > $2 and seq <= $3
   and exists (select from wallet.transaction where id = entry.transaction_id and status = $4)`;
const countWithStatus = statement<{ total: number }>(
  'wallet.history-count-with-status',
  `select count(*) as total ${WITH_STATUS}`,
);
/** Joins the transactions of the page's entries only. */
const pageWithStatus = statement<PackedRow>(
  'wallet.history-with-status',
  `select ${HISTORY_ROW} from (select * ${WITH_STATUS} order by seq desc limit $5 offset $6) entry
   join wallet.transaction on transaction.id = entry.transaction_id order by seq desc`,
);

const record = statement<TransactionRecord>(
  'wallet.transaction-record',
  `select id, type, status, from_user_id as "fromUserId", to_user_id as "toUserId", amount, description, metadata
   from wallet.transaction where id = $1`,
);

/** A member's transactions are the entries of their wallet, newest first; entries are numbered without gaps. */
export function transactionStore(database: Database) {
  const rowsOf = async (query: Statement<PackedRow>, values: unknown[]): Promise<HistoryRow[]> =>
    (await database.all(query, values)).map(historyRow);

  /** Reads the entries from one downwards; none if it is not in the range. */
  const pageFrom = async (
    { accountId, after }: EntryRange,
    newest: number,
    { transfersOnly = false, completedOnly = false }: { transfersOnly?: boolean; completedOnly?: boolean },
    { limit }: PageRequest,
  ): Promise<HistoryRow[]> =>
    newest <= after ? [] : rowsOf(page, [accountId, after, newest, transfersOnly, completedOnly, limit]);

  async function pageOfAll(range: EntryRange, request: PageRequest): Promise<Page<HistoryRow>> {
    const items = await pageFrom(range, range.upTo - offsetOf(request), {}, request);
    return { ...request, items, total: range.upTo - range.after };
  }

  async function pageOfTransfers(range: EntryRange, request: PageRequest): Promise<Page<HistoryRow>> {
    const values = [range.accountId, range.after, range.upTo, offsetOf(request)];
    const { total, newest } = only(await database.all(transferAt, values));
    return { ...request, items: await pageFrom(range, newest, { transfersOnly: true }, request), total };
  }

  /** Reads all but unfinished withdrawals, whose positions determine where the page begins. */
  async function pageOfCompleted(range: EntryRange, request: PageRequest): Promise<Page<HistoryRow>> {
    const { accountId, after, upTo } = range;
    const offset = offsetOf(request);
    const { total, skipped } = only(await database.all(unfinished, [accountId, after, upTo, offset]));
    const items = await pageFrom(range, upTo - offset - skipped, { completedOnly: true }, request);
    return { ...request, items, total: upTo - after - total };
  }

  async function pageOfOneType(
    { accountId, ...range }: EntryRange,
    type: TransactionType,
    request: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const { after, upTo } = only(await database.all(rangeOfType, [accountId, type, range.after, range.upTo]));
    const newest = upTo - offsetOf(request);
    const items =
      newest <= after ? [] : await rowsOf(pageOfType, [accountId, type, after, newest, request.limit]);
    return { ...request, items, total: upTo - after };
  }

  async function pageOfWithdrawals(
    { accountId, after, upTo }: EntryRange,
    status: TransactionStatus,
    request: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const values = [accountId, after, upTo, status];
    const [counted, items] = await Promise.all([
      database.all(countWithStatus, values),
      rowsOf(pageWithStatus, [...values, request.limit, offsetOf(request)]),
    ]);
    return { ...request, items, total: only(counted).total };
  }

  /**
   * Chooses, by the filter, the method that reads the fewest rows. Only withdrawals have a status other than completed.
   */
  function pageOfRange(
    range: EntryRange,
    { type, status }: Pick<TransactionFilter, 'type' | 'status'>,
    request: PageRequest,
  ): Promise<Page<HistoryRow>> {
    const isUnfinished = status !== undefined && status !== 'completed';
    if (isUnfinished && type !== undefined && type !== 'withdrawal')
      return Promise.resolve({ ...request, items: [], total: 0 });
    if (isUnfinished || (status !== undefined && type === 'withdrawal'))
      return pageOfWithdrawals(range, status, request);
    if (type === 'transfer') return pageOfTransfers(range, request);
    if (type !== undefined) return pageOfOneType(range, type, request);
    return status === undefined ? pageOfAll(range, request) : pageOfCompleted(range, request);
  }

  async function pageOfEverything(userId: ObjectId, request: PageRequest): Promise<Page<HistoryRow>> {
    const offset = offsetOf(request);
    const rows = await database.all(pageOfWallet, [`wallet:${userId}`, offset, request.limit]);
    const total = rows[0]?.total ?? 0;
    return { ...request, items: offset < total ? rows.map(historyRow) : [], total };
  }

  /** Reads the entries after a transaction; the total is that of the whole range. */
  async function restOfRange(
    range: EntryRange,
    filter: Pick<TransactionFilter, 'type' | 'status'>,
    { seq, ...request }: PageRequest & { seq: number },
  ): Promise<Page<HistoryRow>> {
    const upTo = Math.max(range.after, Math.min(range.upTo, seq - 1));
    const [whole, rest] = await Promise.all([
      pageOfRange(range, filter, { page: 1, limit: 1 }),
      pageOfRange({ ...range, upTo }, filter, request),
    ]);
    return { ...rest, total: whole.total };
  }

  const placeOf = async (userId: ObjectId, id: ObjectId): Promise<number | undefined> =>
    (await database.first(seqOfTransaction, [`wallet:${userId}`, id]))?.seq;

  return {
    /** Returns the number of the entry of a transaction in a member's wallet. */
    placeOf,
    find: async (userId: ObjectId, id: ObjectId): Promise<HistoryRow | undefined> =>
      (await rowsOf(oneOfWallet, [`wallet:${userId}`, id]))[0],
    /** Returns a transaction of any member. */
    findRecord: (id: ObjectId): Promise<TransactionRecord | undefined> => database.first(record, [id]),
    /**
     * Returns a page, or the transactions after the one with the record `before`; undefined if that one is not in the
     * wallet.
     */
    async pageOf(
      userId: ObjectId,
      { type, status, ...period }: TransactionFilter,
      { before, ...request }: PageRequest,
    ): Promise<Page<HistoryRow> | undefined> {
      const isWhole = !type && !status && !period.from && !period.to;
      if (before === undefined && isWhole) return pageOfEverything(userId, request);
      const [range, place] = await Promise.all([
        entryRangeOf(database, userId, period),
        before === undefined ? undefined : placeOf(userId, before),
      ]);
      if (before !== undefined && place === undefined) return undefined;
      if (!range) return { ...request, items: [], total: 0 };
      if (place === undefined) return pageOfRange(range, { type, status }, request);
      return restOfRange(range, { type, status }, { ...request, seq: place });
    },
  };
}

export type TransactionStore = ReturnType<typeof transactionStore>;
