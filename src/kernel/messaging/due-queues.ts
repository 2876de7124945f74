import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';

const POLL_MS = 2_000;

/** Usually reads one index entry for each queue. */
const due = statement<{ name: string }>(
  'kernel.due-queues',
  `select queue.name from unnest($1::text[]) as queue (name)
   where exists (
     select from jobs.job
     where job.name = queue.name and state < 'active' and not blocked and start_after <= now())`,
);

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
  names: () => Iterable<string>,
  { database, end, onError }: DueQueuesDeps,
  report: (name: string) => void,
): Promise<void> {
  for (;;) {
    await sleep(POLL_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    try {
      for (const { name } of await database.all(due, [[...names()]])) report(name);
    } catch (error) {
      if (!end.aborted) onError(error as Error);
    }
  }
}
