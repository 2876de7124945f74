import type { Database } from '../database/database.ts';
import { deadLetterOf } from './dead-letters.ts';
import { type Job, job, jobKind } from './jobs.ts';

const AT_ONCE = 5_000;

/** What an old process is working on is left to it. */
const REMOVE = `delete from jobs.job where (name, id) in (
  select name, id from jobs.job where name = any($1) and state <> 'active' limit ${AT_ONCE})`;

/**
 * Returns the job that deletes what waits in the queues of former releases, and their schedules. It runs at each start, and
 * again every ten minutes, since old processes may relay events to their subscribers until the last one has ended. The
 * queues themselves stay, or those processes could not publish.
 */
export const formerQueues = (database: Database, queues: readonly string[]): Job =>
  job(jobKind('kernel.forget-former-jobs'), {
    cron: '*/10 * * * *',
    atStart: true,
    run: async () => {
      await database.execute('delete from jobs.schedule where name = any($1)', [queues]);
      const names = [...queues, ...queues.map(deadLetterOf)];
      while ((await database.execute(REMOVE, [names])) === AT_ONCE);
    },
  });
