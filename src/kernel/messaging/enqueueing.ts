import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { statement, type Transaction } from '../database/queries.ts';
import { withTrace } from '../trace.ts';
import { JOB_SCHEMA } from './job-schema.ts';
import { poolOf } from './queue-connections.ts';

/**
 * Writes what pg-boss's own statement would, for a third less: that one is written for all options of jobs and with each
 * queue's name in the text, so that PostgreSQL has to prepare it for each queue. A queue that does not exist violates the
 * constraint of the name.
 */
const insert = statement<never>(
  'kernel.enqueue-jobs',
  `insert into jobs.job_common (name, data, priority, start_after, created_on, keep_until, expire_seconds, deletion_seconds,
     retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
   select queue.name, one.data, $3, due.at, jobs.job_now(), due.at + queue.retention_seconds * interval '1 second',
     expire_seconds, deletion_seconds, retry_limit, retry_delay, coalesce(retry_backoff, false), retry_delay_max, policy,
     dead_letter, heartbeat_seconds
   from (select jobs.job_now() + $4 * interval '1 second' as at) due
     cross join jsonb_array_elements($2::text::jsonb) as one (data)
     left join jobs.queue on queue.name = $1`,
);

/** On the channel of pg-boss. */
const NOTIFY = `select pg_notify('pgboss_' || left(encode(sha224('${JOB_SCHEMA}'), 'hex'), 24), queue) from unnest($1::text[]) as queue`;

/** The declared type lacks the time limit. */
const notifying = (queues: string[]): pg.QueryConfig & { query_timeout: number } => ({
  text: NOTIFY,
  values: [queues],
  query_timeout: ANSWER_TIMEOUT_MS,
});

interface NewJobs {
  queue: string;
  data: object[];
  priority: number;
  afterSeconds: number;
}

/** At most one notification in so many milliseconds. */
const NOTIFY_PAUSE_MS = 5;
/** Notifications wait for the one before, and stopping for the last: a connection that is dead must not end them all. */
const ANSWER_TIMEOUT_MS = 2_000;

interface EnqueueingDeps {
  boss: PgBoss;
  onError: (error: Error) => void;
}

/**
 * Enqueues jobs, and notifies the workers of all processes once the transaction has committed. Not within it: PostgreSQL
 * commits transactions that notify one after the other. Notifications are sent together, and one that is lost with its process
 * delays the jobs until the next look at what is due, by at most two seconds.
 */
export function enqueueing({ boss, onError }: EnqueueingDeps) {
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      const queues = [...waiting];
      waiting.clear();
      try {
        await poolOf(boss).query(notifying(queues));
      } catch (error) {
        onError(error as Error);
      }
      await sleep(NOTIFY_PAUSE_MS);
    }
    sending = undefined;
  }

  function notify(queue: string): void {
    waiting.add(queue);
    // Serves many requests, so it must not run in the trace of the one that happened to begin it.
    sending ??= withTrace(undefined, send);
  }

  return {
    enqueue(tx: Transaction, { queue, data, priority, afterSeconds }: NewJobs): void {
      tx.send(insert, [queue, JSON.stringify(data), priority, afterSeconds]);
      if (afterSeconds <= 0) tx.afterCommit(() => notify(queue));
    },
    /** Waits until all notifications are sent. */
    settled: async (): Promise<void> => {
      await sending;
    },
  };
}
