import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type Queries, statement } from '../database/queries.ts';

const POLL_MS = 2_000;

/** Usually reads one index entry for each queue. */
const due = statement<{ name: string }>(
  'kernel.due-queues',
  `select queue.name from unnest($1::text[]) as queue (name)
   where exists (
     select from jobs.job
     where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`,
);

/** Returns those of these queues in which a job is due. */
export const dueQueues = async (queries: Pick<Queries, 'all'>, names: string[]): Promise<string[]> =>
  (await queries.all(due, [names])).map(({ name }) => name);

const unfinished = statement<{ name: string }>(
  'kernel.unfinished-queues',
  `select queue.name from unnest($1::text[]) as queue (name)
   where exists (
     select from jobs.job
     where job.name = queue.name
       and (state < 'active' and not blocked and start_after <= now() or state = 'active'))`,
);

/** Returns those of these queues in which a job is due or runs. */
export const unfinishedQueues = async (queries: Pick<Queries, 'all'>, names: string[]): Promise<string[]> =>
  (await queries.all(unfinished, [names])).map(({ name }) => name);

const bringForward = statement<never>(
  'kernel.bring-jobs-forward',
  `update jobs.job set start_after = start_after - $2 * interval '1 millisecond'
   where name = any($1::text[]) and state < 'active' and start_after > now()`,
);

/** Lets the delayed jobs of these queues become due earlier by so many milliseconds. */
export const bringJobsForward = async (database: Database, names: string[], ms: number): Promise<void> => {
  await database.execute(bringForward, [names, ms]);
};

interface DueQueuesDeps {
  database: Database;
  /** Stops the polling without waiting for a running query. */
  end: AbortSignal;
  onError: (error: Error) => void;
}

/**
 * Reports, every two seconds, the queues with jobs that are due. New jobs notify workers by themselves, but retries and
 * scheduled jobs do not. One statement for all queues replaces a poll by each of their workers.
 * @param report called with the name of each such queue
 */
export async function watchDueQueues(
  names: () => string[],
  { database, end, onError }: DueQueuesDeps,
  report: (name: string) => void,
): Promise<void> {
  for (;;) {
    await sleep(POLL_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    try {
      for (const name of await dueQueues(database, names())) report(name);
    } catch (error) {
      if (!end.aborted) onError(error as Error);
    }
  }
}
