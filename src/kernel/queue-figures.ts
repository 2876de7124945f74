import type { Database } from './database/database.ts';
import { statement } from './database/queries.ts';

/** What is waiting in a queue, over all processes. Of each queue at most {@link MAX_COUNTED} jobs are looked at. */
export interface QueueFigures {
  queue: string;
  /** Jobs that a worker may take now. */
  ready: number;
  /** Jobs for later: scheduled ones, and those to be tried again. */
  delayed: number;
  active: number;
  /** How long the job that has been ready longest has waited; 0 when there is none. */
  oldestSeconds: number;
}

/** Counting further would make a scrape dearer the worse things are. */
const MAX_COUNTED = 10_000;

/**
 * Reads only an index, and of each queue a bounded part, in the order in which jobs are taken. What is active stands in
 * the queue's own row, where whoever supervises notes it every few seconds: finished jobs stay in the table for a day,
 * and no index leaves them out.
 */
const read = statement<QueueFigures>(
  'kernel.queue-figures',
  `select queue.name as queue, queue.active_count as active, waiting.ready, waiting.delayed,
     coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "oldestSeconds"
   from jobs.queue, lateral (
     select count(*) filter (where start_after <= now())::integer as ready,
       count(*) filter (where start_after > now())::integer as delayed,
       min(start_after) filter (where start_after <= now()) as oldest
     from (
       select start_after from jobs.job
       where job.name = queue.name and state < 'active' and not blocked
       order by priority desc, created_on limit $1
     ) as first_waiting
   ) as waiting
   where queue.name not like '\\_\\_%'`,
);

export const queueFigures = (database: Database): Promise<QueueFigures[]> =>
  database.all(read, [MAX_COUNTED]);
