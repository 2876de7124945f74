import type { Database } from '../database/database.ts';
import { type Job, job, jobKind } from '../messaging/jobs.ts';
import { type Clock, DAY_MS } from '../time/time.ts';
import type { DaysKept } from './days-kept.ts';

/** How long rows of a table are kept. */
export interface Retention {
  /** The table's name, with its schema. */
  table: string;
  /** The columns of the primary key, separated by commas. */
  key: string;
  /**
   * The column from whose time the days count; rows where it is null are kept permanently. An index must begin with it.
   */
  since: string;
  days: DaysKept;
}

/** Rows per statement, chosen so that it takes well under a second and holds few locks. */
const ROWS_AT_ONCE = 5_000;

interface RetentionDeps {
  database: Database;
  clock: Clock;
}

/** Returns the job that deletes expired rows in batches of a few thousand. */
export const retention = (
  { database, clock }: RetentionDeps,
  { name, cron, tables }: { name: string; cron: string; tables: Retention[] },
): Job =>
  job(jobKind(name), {
    cron,
    run: async () => {
      for (const { table, key, since, days } of tables) {
        if (days === 'keep') continue;
        const text = `delete from ${table} where (${key}) in (
        select ${key} from ${table} where ${since} < $1 order by ${since} limit ${ROWS_AT_ONCE})`;
        const before = new Date(clock.now() - days * DAY_MS);
        while ((await database.execute(text, [before])) === ROWS_AT_ONCE);
      }
    },
  });
