import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database/database.ts';
import { statement } from './database/queries.ts';

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
 * Tells every two seconds which of these queues have jobs that may be taken now. New jobs announce themselves; retries
 * and jobs for later do not. One question about all queues costs a hundredth of one by each of their workers.
 */
export async function watchDueQueues(
  names: () => Iterable<string>,
  { database, end, onError }: DueQueuesDeps,
  tell: (name: string) => void,
): Promise<void> {
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal: end }).catch(() => undefined);
    if (end.aborted) return;
    try {
      for (const { name } of await database.all(due, [[...names()]])) tell(name);
    } catch (error) {
      if (!end.aborted) onError(error as Error);
    }
  }
}
