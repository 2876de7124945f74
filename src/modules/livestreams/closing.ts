import type { Core } from '../../kernel/core.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/time.ts';
import type { Endings } from './ending.ts';
import type { LivestreamStore } from './livestreams.store.ts';

/** How long a livestream may stay live after its planned end, or after its start if that was later. */
const MAX_OVERTIME_MS = 12 * HOUR_MS;
/** A livestream that was not started is cancelled this long after its planned end. */
const MAX_DELAY_MS = DAY_MS;
const CLOSED_AT_ONCE = 500;

interface ClosingDeps extends Pick<Core, 'database' | 'clock'> {
  store: Pick<LivestreamStore, 'closeForgotten'>;
  endings: Pick<Endings, 'tellLater'>;
}

/** Ends and cancels what its host has forgotten: it would be listed as live, or as to come, for ever. */
export function closingJob({ store, endings, database, clock }: ClosingDeps): Job {
  const before = (ms: number): Date => new Date(clock.now() - ms);
  return job(jobKind('livestreams.close-forgotten'), {
    cron: '*/10 * * * *',
    atStart: true,
    concurrency: 1,
    run: async (_data, { signal }) => {
      for (let closed = CLOSED_AT_ONCE; closed === CLOSED_AT_ONCE && !signal.aborted; ) {
        const due = { liveBefore: before(MAX_OVERTIME_MS), plannedBefore: before(MAX_DELAY_MS) };
        closed = await database.transaction(async (tx) => {
          const over = await store.closeForgotten(tx, { ...due, at: clock.date(), limit: CLOSED_AT_ONCE });
          await endings.tellLater(
            tx,
            over.flatMap(({ endedAt, ...one }) => (endedAt ? [{ ...one, endedAt }] : [])),
          );
          return over.length;
        });
      }
    },
  });
}
