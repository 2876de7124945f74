import type { Database } from '../database/database.ts';
import { deadLetterOf } from './dead-letters.ts';
import { type Job, job, jobKind } from './jobs.ts';

/** A queue of former releases. */
export interface FormerQueue {
  name: string;
  /** The queue whose jobs take the same data for the same work; without it, the work is done no more. */
  renamedTo?: string;
}

const AT_ONCE = 5_000;

/**
 * What an old process is working on is left to it; it may take a job meanwhile, so that the state is looked at twice. Of a
 * renamed queue only what has ended is removed: a job may have come back since the others were moved.
 */
const REMOVE = `delete from jobs.job where state <> 'active' and (name <> all($2) or state > 'active') and (name, id) in (
  select name, id from jobs.job where name = any($1) and state <> 'active' and (name <> all($2) or state > 'active')
  limit ${AT_ONCE})`;

/** Moves what waits, with the attempts that it had. */
const MOVE = `update jobs.job set name = queue.name, policy = queue.policy, dead_letter = queue.dead_letter
  from jobs.queue where queue.name = $2 and job.state < 'active' and (job.name, job.id) in (
    select name, id from jobs.job where name = $1 and state < 'active' limit ${AT_ONCE})`;

/**
 * Returns the job that moves what waits in renamed queues, deletes what waits in those of removed jobs, and removes the
 * schedules of both. It runs at each start, and again every ten minutes, since old processes may enqueue until the last one
 * has ended. The queues themselves stay, or those processes could not publish.
 */
export const formerQueues = (database: Database, queues: readonly FormerQueue[]): Job =>
  job(jobKind('kernel.forget-former-jobs'), {
    cron: '*/10 * * * *',
    atStart: true,
    run: async () => {
      const withDead = (name: string) => [name, deadLetterOf(name)];
      const names = queues.map(({ name }) => name);
      await database.execute('delete from jobs.schedule where name = any($1)', [names]);
      const moves = queues.flatMap(({ name, renamedTo }): [string, string][] =>
        renamedTo === undefined
          ? []
          : [
              [name, renamedTo],
              [deadLetterOf(name), deadLetterOf(renamedTo)],
            ],
      );
      for (const move of moves) while ((await database.execute(MOVE, move)) === AT_ONCE);
      const removed = [names.flatMap(withDead), moves.map(([name]) => name)];
      while ((await database.execute(REMOVE, removed)) === AT_ONCE);
    },
  });
