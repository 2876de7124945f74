import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import { packedStore } from './packed.store.ts';

const HOURS_AT_ONCE = 100;
/** Events that arrive this late seldom require that an hour is packed twice. */
const SETTLED_AFTER_MS = 5 * MINUTE_MS;
/** A busy hour may take longer than ordinary statements: about a microsecond for each event. */
const MAX_PACK_MS = MINUTE_MS;

interface PackingDeps {
  database: Database;
  clock: Clock;
  /** Runs with the lock of sums. */
  exclusively: <T>(work: (tx: Transaction) => Promise<T>, maxStatementMs?: number) => Promise<T>;
}

/**
 * The job that packs the events of past hours, and repacks hours for which events arrived late. Without it, funnels
 * are exact but slower. Each hour has its own transaction, so that others wait for the lock only briefly.
 */
export const packing = ({ database, clock, exclusively }: PackingDeps): Job =>
  job(jobKind('analytics.pack'), {
    cron: '7 * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    timeoutSeconds: 1800,
    run: async (_data, { signal }) => {
      for (;;) {
        const settled = new Date(clock.now() - SETTLED_AFTER_MS);
        const hours = await packedStore.unpacked(database, settled, HOURS_AT_ONCE);
        for (const hour of hours) {
          if (signal.aborted) return;
          await exclusively((tx) => packedStore.pack(tx, hour), MAX_PACK_MS);
        }
        if (hours.length < HOURS_AT_ONCE) return;
      }
    },
  });
