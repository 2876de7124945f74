import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';

const LOOK_MS = 2_000;

/** Reads one entry of an index for each queue, as a rule. */
const due = statement<{ name: string }>(
  'kernel.due-queues',
  `select queue.name from unnest($1::text[]) as queue (name)
   where exists (
     select from jobs.job
     where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`,
);

interface DueQueuesDeps {
  database: Database;
  /** Ends the looking; a question under way is not waited for. */
  end: AbortSignal;
  onError: (error: Error) => void;
}

/**
 * Reports, every two seconds, the queues that have jobs to be taken now. New jobs announce themselves, but retries and
 * scheduled jobs do not. One statement about all queues takes the place of one from each of their workers.
 * @param report called with the name of each such queue
 */
export async function watchDueQueues(
  names: () => Iterable<string>,
  { database, end, onError }: DueQueuesDeps,
  report: (name: string) => void,
): Promise<void> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    try {
      for (const { name } of await database.all(due, [[...names()]])) report(name);
    } catch (error) {
      if (!end.aborted) onError(error as Error);
    }
  }
}
