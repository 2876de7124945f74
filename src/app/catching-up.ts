import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../kernel/database/database.ts';
import type { Queries } from '../kernel/database/queries.ts';
import type { Job, JobQueue } from '../kernel/messaging/jobs.ts';
import { isOutage } from '../kernel/outages.ts';
import { nextRunOf } from '../kernel/time/cron.ts';

const SOONEST_POLL_MS = 10;
const LATEST_POLL_MS = 200;
/** A job may wait for an external system that does not answer. */
const DEFAULT_PATIENCE_MS = 30_000;
/** Stands among the queues for events that wait to be relayed. */
const EVENTS = 'events';

/** The work that was done because time had passed. */
export interface CaughtUp {
  /** The scheduled jobs that were started, once each. */
  started: string[];
  /** The queues that still had work after the time limit; {@link EVENTS} if events have not reached their queues. */
  unfinished: string[];
}

interface CatchingUpDeps {
  database: Pick<Database, 'snapshot' | 'transaction'>;
  queue: Pick<JobQueue, 'bringForward' | 'unfinished' | 'startNow'>;
  /** Returns the number of events that wait to be relayed, in `rows`. */
  backbone: { lag(queries: Queries): Promise<{ rows: number }> };
  jobs: Job[];
}

/**
 * Returns a function that runs the work that fell due between two instants, for development, where the clock can be
 * moved on: delayed jobs become due, each schedule that came up starts one job, and the function waits until all
 * work is done, for at most `patienceMs`.
 */
export function catchingUp({ database, queue, backbone, jobs }: CatchingUpDeps) {
  /** Works with the database, also while it is away for a moment; what is repeated may have taken effect before. */
  async function patiently<T>(patienceMs: number, work: () => Promise<T>): Promise<T> {
    for (const startedMs = performance.now(); ; await sleep(LATEST_POLL_MS)) {
      try {
        return await work();
      } catch (error) {
        if (!isOutage(error) || performance.now() - startedMs > patienceMs) throw error;
      }
    }
  }

  /** Waits until no work is due or running; returns the queues that are still busy after the time limit. */
  async function finished(patienceMs: number): Promise<string[]> {
    for (const startedMs = performance.now(); ; ) {
      // Both are read in one snapshot: between two, an event may become a job, and a job may publish an event.
      const busy = await patiently(patienceMs, () =>
        database.snapshot(async (queries) => {
          const { rows } = await backbone.lag(queries);
          return [...(rows > 0 ? [EVENTS] : []), ...(await queue.unfinished(queries))];
        }),
      );
      const waitedMs = performance.now() - startedMs;
      if (busy.length === 0 || waitedMs > patienceMs) return busy;
      // The pauses grow with the time waited, because each poll costs the database half a dozen statements.
      await sleep(Math.min(Math.max(waitedMs / 4, SOONEST_POLL_MS), LATEST_POLL_MS));
    }
  }

  return async (from: Date, to: Date, patienceMs = DEFAULT_PATIENCE_MS): Promise<CaughtUp> => {
    const started = jobs
      .filter(({ cron }) => cron !== undefined && isBefore(nextRunOf(cron, from), to))
      .map(({ kind }) => kind.name);
    // Repeating either is harmless: jobs become due earlier still, and jobs bear to run twice.
    await patiently(patienceMs, () => queue.bringForward(to.getTime() - from.getTime()));
    await patiently(patienceMs, () =>
      database.transaction(async (tx) => {
        for (const name of started) await queue.startNow(tx, name);
      }),
    );
    return { started, unfinished: await finished(patienceMs) };
  };
}

const isBefore = (instant: Date | undefined, end: Date): boolean => instant !== undefined && instant <= end;
