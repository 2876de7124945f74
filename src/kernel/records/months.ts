import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/queries.ts';
import { type Job, job, jobKind } from '../messaging/jobs.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../time/time.ts';
import type { DaysKept } from './days-kept.ts';

/**
 * A table that its migration has divided by month (`kernel/migrations/0011-months.sql`), and how long its rows are kept.
 */
export interface MonthlyTable {
  /** With its schema. Of several tables whose months are dropped together, the one that is written first. */
  table: string;
  /** Tables with the same months, which are dropped in the same transaction, such as counts of the rows. */
  together?: string[];
  days: DaysKept;
  /** Whether rows that are older but in no month stay; otherwise they are deleted. */
  keepsStrays?: true;
  /**
   * Does what has to be done before a month is dropped, in a transaction before, such as adding up its rows.
   * @returns whether the month may be dropped; otherwise the next run asks again
   */
  beforeDrop?: (month: ClosedMonth) => Promise<boolean>;
  /** Deletes what was derived from the rows, in the transaction that drops the month. */
  onDrop?: (tx: Transaction, month: ClosedMonth) => Promise<void>;
}

/** A part of a divided table that has ended. */
export interface ClosedMonth {
  /** The name of the part without its schema: `event_2026_11`. */
  part: string;
  /** The beginning of its month, by UTC; of a part that holds all before the table was divided, of its last month. */
  starts: Date;
  /** The beginning of the month after it. */
  ends: Date;
}

/** Three months without a run are bridged; afterwards rows wait in the part `<table>_other`. */
const MONTHS_AHEAD = 3;
/** Requests on the table wait no longer than this for a month to be added or dropped. */
const LOCK_TIMEOUT_MS = 500;
const ROWS_AT_ONCE = 5_000;
/** Maximum duration of a statement that adds up a closed month. */
const MAX_STATEMENT_MS = 10 * MINUTE_MS;

interface MonthDeps {
  database: Database;
  clock: Clock;
}

/**
 * Adds the coming months of a table, those since its oldest row that has none, and the same of tables that go together
 * with it. Nothing is locked for months that are there.
 */
async function addMonths(database: Database, tables: string[], since: Date, at: Date): Promise<void> {
  const missing = await database.all<{ month: string }>(
    `select month::date::text
     from date_trunc('month', $3::timestamptz at time zone 'UTC') this,
       generate_series(
         least(this - interval '1 month', kernel.oldest_in_other($1, $2::timestamptz::date)),
         this + $4 * interval '1 month', interval '1 month') month
     where exists (
       select from unnest($5::text[]) name where to_regclass(name || to_char(month, '_YYYY_MM')) is null)
     order by month`,
    [tables[0], since, at, MONTHS_AHEAD, tables],
  );
  for (const { month } of missing)
    await database.transaction(async (tx) => {
      await tx.lock('kernel.months', tables[0]);
      await tx.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const table of tables) await tx.execute('select kernel.add_month($1, $2::date)', [table, month]);
    });
}

/** Returns the parts of a table that ended before an instant, oldest first. */
const closedMonths = (
  queries: Pick<Database, 'all'> | Transaction,
  table: string,
  before: Date,
): Promise<ClosedMonth[]> =>
  queries.all<ClosedMonth>(
    `select part, (ends - interval '1 month') at time zone 'UTC' as starts, ends::timestamp at time zone 'UTC' as ends
     from kernel.months_of($1)
     where ends <= ($2::timestamptz at time zone 'UTC')::date order by ends`,
    [table, before],
  );

/**
 * Drops a month. The locks are taken in the order in which requests take them, so that none waits in a circle; then the
 * tables are dropped in reverse, so that what outlives a table is counted anew.
 */
const dropMonth = (database: Database, one: MonthlyTable, month: ClosedMonth): Promise<void> =>
  database.transaction(
    async (tx) => {
      const tables = [one.table, ...(one.together ?? [])];
      await tx.lock('kernel.months', one.table);
      // Another process may have dropped it meanwhile.
      const closed = await closedMonths(tx, one.table, month.ends);
      if (!closed.some(({ part }) => part === month.part)) return;
      await one.onDrop?.(tx, month);
      await tx.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      for (const table of tables) await tx.execute(`lock table ${table} in access exclusive mode`);
      const suffix = month.part.slice(nameOf(one.table).length);
      for (const table of tables.toReversed())
        await tx.execute('select kernel.drop_month($1, $2, $3::timestamptz::date)', [
          table,
          nameOf(table) + suffix,
          month.ends,
        ]);
    },
    { maxStatementMs: MAX_STATEMENT_MS },
  );

const nameOf = (table: string): string => table.slice(table.indexOf('.') + 1);

async function deleteStrays(database: Database, table: string, before: Date): Promise<void> {
  const statement = 'select kernel.delete_from_other($1, $2::timestamptz::date, $3) as deleted';
  for (let deleted = ROWS_AT_ONCE; deleted >= ROWS_AT_ONCE; )
    deleted =
      (await database.first<{ deleted: number }>(statement, [table, before, ROWS_AT_ONCE]))?.deleted ?? 0;
}

/**
 * Returns the job that adds the coming months of divided tables and drops those that are older than they are kept. A
 * month goes as a whole, once its last day is too old. The job may be killed between any two steps: the next run goes on.
 */
export const months = (
  { database, clock }: MonthDeps,
  { name, cron, tables }: { name: string; cron: string; tables: MonthlyTable[] },
): Job =>
  job(jobKind(name), {
    cron,
    atStart: true,
    concurrency: 1,
    retries: 5,
    timeoutSeconds: 3600,
    run: async (_data, { signal }) => {
      for (const one of tables) {
        const before = new Date(one.days === 'keep' ? 0 : clock.now() - one.days * DAY_MS);
        await addMonths(database, [one.table, ...(one.together ?? [])], before, clock.date());
        for (const month of await closedMonths(database, one.table, before)) {
          if (signal.aborted) return;
          if ((await one.beforeDrop?.(month)) === false) break;
          await dropMonth(database, one, month);
        }
        if (!one.keepsStrays) await deleteStrays(database, one.table, before);
      }
    },
  });
