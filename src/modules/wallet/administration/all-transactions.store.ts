import type { Database } from '../../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  offsetOf,
  type Page,
  type PageRequest,
  type PageSummary,
} from '../../../kernel/database/pagination.ts';
import { highestIdAt, lowestIdAt, type ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import type { TransactionStore } from '../history/transactions.store.ts';
import type { EntryRange } from '../ledger/entry-ranges.model.ts';
import { entryRangeOf } from '../ledger/entry-ranges.store.ts';
import { SUMS } from '../ledger/sums.store.ts';
import type { AllTransactionsFilter, RecordedTransaction } from './all-transactions.model.ts';

/** The same amount as in transaction_large: smaller ones are too frequent for an index. */
const LARGE_AMOUNT = 1_000;
/** How much the second of an id may differ from the time of its transaction, which follows that of the accounts. */
const ID_SLACK_MS = DAY_MS;

const COLUMNS = `t.id, t.type, t.status, t.from_user_id, t.to_user_id, t.amount, t.description, t.metadata,
  t.created_at, t.processed_at`;
/** Entries have the time of their transaction, so that only those of one instant are read. */
const changeOf = (user: 'from_user_id' | 'to_user_id') => `(
  select jsonb_build_object('change', e.amount, 'balanceBefore', e.balance_before, 'balanceAfter', e.balance_after)
  from wallet.account a
  join wallet.entry e on e.account_id = a.id and e.transaction_id = t.id
    and e.seq > wallet.seq_at(a.id, a.last_seq, t.created_at - interval '1 microsecond')
    and e.seq <= wallet.seq_at(a.id, a.last_seq, t.created_at)
  where a.name = 'wallet:' || t.${user} limit 1)`;
const WITH_CHANGES = `${COLUMNS}, ${changeOf('from_user_id')} as from_change, ${changeOf('to_user_id')} as to_change`;

/** The rows that a filter matches: tables and conditions, over the values from `$1` on. */
interface Matching {
  rows: string;
  /** The columns to order by, descending. */
  order: 't.id' | 'e.seq';
  values: unknown[];
}

/** Collects conditions and their values. */
function conditionsOf(filter: AllTransactionsFilter) {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const add = (condition: (value: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const { type, status, minAmount, checkoutSessionId } = filter;
  if (type !== undefined) add((word) => `t.type = ${word}`, type);
  if (type !== undefined && type !== 'transfer') conditions.push("t.type <> 'transfer'");
  if (status !== undefined) add((word) => `t.status = ${word}`, status);
  // Only withdrawals have another status, and an index by it.
  if (status !== undefined && status !== 'completed') conditions.push("t.type = 'withdrawal'");
  if (minAmount !== undefined) add((keys) => `t.amount >= ${keys}`, minAmount);
  if (minAmount !== undefined && minAmount >= LARGE_AMOUNT) conditions.push(`t.amount >= ${LARGE_AMOUNT}`);
  if (checkoutSessionId !== undefined) {
    add((session) => `t.metadata ->> 'checkoutSessionId' = ${session}`, checkoutSessionId);
    conditions.push("t.type <> 'transfer' and t.metadata ->> 'checkoutSessionId' is not null");
  }
  return { add, conditions, values };
}

function ofEverybody(filter: AllTransactionsFilter): Matching {
  const { add, conditions, values } = conditionsOf(filter);
  const { from, to } = filter;
  if (from) {
    add((id) => `t.id >= ${id}`, lowestIdAt(new Date(from.getTime() - ID_SLACK_MS)));
    add((at) => `t.created_at >= ${at}`, from);
  }
  if (to) {
    add((id) => `t.id <= ${id}`, highestIdAt(new Date(to.getTime() + ID_SLACK_MS)));
    add((at) => `t.created_at <= ${at}`, to);
  }
  return {
    rows: `wallet.transaction t where ${['true', ...conditions].join(' and ')}`,
    order: 't.id',
    values,
  };
}

/** The transactions of one member are the entries of a range of their wallet. */
function ofMember(filter: AllTransactionsFilter, { accountId, after, upTo }: EntryRange): Matching {
  const { add, conditions, values } = conditionsOf(filter);
  const { type, minAmount } = filter;
  add((account) => `e.account_id = ${account}`, accountId);
  add((seq) => `e.seq > ${seq}`, after);
  add((seq) => `e.seq <= ${seq}`, upTo);
  if (type !== undefined) add((word) => `e.type = ${word}`, type);
  if (type !== undefined && type !== 'transfer') conditions.push("e.type <> 'transfer'");
  if (minAmount !== undefined) add((keys) => `abs(e.amount) >= ${keys}`, minAmount);
  return {
    rows: `wallet.entry e join wallet.transaction t on t.id = e.transaction_id where ${conditions.join(' and ')}`,
    order: 'e.seq',
    values,
  };
}

/** The transactions of all members. */
export function allTransactionsStore(database: Database, { placeOf }: Pick<TransactionStore, 'placeOf'>) {
  /** Returns the condition of a filter; undefined for a member without a wallet. */
  async function matching(filter: AllTransactionsFilter): Promise<Matching | undefined> {
    if (filter.userId === undefined) return ofEverybody(filter);
    const range = await entryRangeOf(database, filter.userId, filter);
    return range && ofMember(filter, range);
  }

  return {
    find: (id: ObjectId): Promise<RecordedTransaction | undefined> =>
      database.first(`select ${WITH_CHANGES} from wallet.transaction t where t.id = $1`, [id]),

    /**
     * Returns transactions, newest first, those of one member in the order of their wallet. Undefined if the page begins
     * after a transaction that is not in that wallet.
     */
    async pageOf(
      filter: AllTransactionsFilter,
      request: PageRequest,
    ): Promise<Page<RecordedTransaction> | undefined> {
      const matched = await matching(filter);
      if (!matched) return { ...request, items: [], total: 0 };
      const { rows, order, values } = matched;
      const { before, limit } = request;
      const place =
        before !== undefined && filter.userId !== undefined ? await placeOf(filter.userId, before) : before;
      if (before !== undefined && place === undefined) return undefined;
      const rest = place === undefined ? '' : `and ${order} < $${values.length + 1}`;
      const [counted, items] = await Promise.all([
        database.count(
          `select count(*) from (select from ${rows} limit ${MOST_COUNTED + 1}) counted`,
          values,
        ),
        database.all<RecordedTransaction>(
          `select ${WITH_CHANGES} from (
             select t.*, ${order} as place from ${rows} ${rest}
             order by ${order} desc limit ${limit} offset ${offsetOf(request)}) t
           order by place desc`,
          place === undefined ? values : [...values, place],
        ),
      ]);
      return { ...request, items, ...boundedTotal(counted) };
    },

    /** Returns the sums of all transactions that a filter matches. */
    async summaryOf(filter: AllTransactionsFilter): Promise<PageSummary> {
      const matched = await matching(filter);
      if (!matched) return { count: 0, keys: 0, usd: 0, oldestAt: null };
      const { rows, values } = matched;
      return only(
        await database.all<PageSummary>(
          `select ${SUMS} from (select t.type, t.amount, t.metadata, t.created_at from ${rows}) matched`,
          values,
        ),
      );
    },
  };
}

export type AllTransactionsStore = ReturnType<typeof allTransactionsStore>;
