import type { Database } from '../database/database.ts';
import { statement } from '../database/queries.ts';

/** The backlog of a queue over all processes. Counts at most {@link MAX_COUNTED} jobs of each queue. */
export interface QueueFigures {
  queue: string;
  /** Jobs that a worker may take now. */
  ready: number;
  /** Jobs for later: scheduled ones and retries. */
  delayed: number;
  active: number;
  /** How long the job that became ready first has waited; 0 when there is none. */
  oldestSeconds: number;
}

/** Bounds the cost of a scrape, which would otherwise grow with the backlog. */
const MAX_COUNTED = 10_000;

/**
 * Reads only an index, and a bounded part of each queue, in the order in which jobs are taken. The number of active
 * jobs comes from the queue's own row, which the supervisor updates every few seconds: finished jobs stay in the table
 * for a day, and no index excludes them.
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
