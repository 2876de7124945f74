import type { Database } from '../database/database.ts';
import { type Job, job, jobKind } from '../messaging/jobs.ts';
import { type Clock, DAY_MS } from '../time/time.ts';
import type { DaysKept } from './days-kept.ts';

/** Rows per statement, chosen so that it takes well under a second. */
const ROWS_AT_ONCE = 5_000;

/**
 * Returns the job that deletes old entries of the audit log, if they are not kept. The database deletes none about money
 * and none of the last year, whatever this job asks for (`kernel/migrations/0012-audit-retention.sql`).
 */
export const forgetOldEntries = (
  { database, clock }: { database: Database; clock: Clock },
  days: DaysKept,
): Job =>
  job(jobKind('kernel.forget-old-audit-entries'), {
    cron: '47 3 * * *',
    run: async (_data, { signal }) => {
      if (days === 'keep') return;
      const before = new Date(clock.now() - days * DAY_MS);
      const forgetSome = () =>
        database.transaction(async (tx) => {
          await tx.all(`select set_config('kernel.forgetting', 'on', true)`);
          return tx.execute(
            `delete from kernel.audit_entry where id in (
               select id from kernel.audit_entry
               where created_at < $1 and not kernel.is_about_money(action) order by created_at limit $2)`,
            [before, ROWS_AT_ONCE],
          );
        });
      while (!signal.aborted && (await forgetSome()) === ROWS_AT_ONCE);
    },
  });
