import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import type { CandidateStore } from './candidates.store.ts';
import { packing } from './packing.ts';
import { presenceStore } from './presence.store.ts';
import type { RollupStore } from './rollups.store.ts';
import { SEEN_MS } from './tracking.model.ts';
import { visitStore } from './visits.store.ts';

const FOLD_AT_ONCE = 20_000;
/** Each arrival takes some tens of microseconds, so a statement takes at most seconds. */
const LINK_AT_ONCE = 4_000;
const SLOTS_AT_ONCE = 100;
const MONTHS_AHEAD = 3;
/** Maximum time for dropping a month, whose events are first counted for each member. */
const MAX_DROP_MS = 10 * MINUTE_MS;

interface RollupDeps {
  store: RollupStore;
  candidates: Pick<CandidateStore, 'listWaiting' | 'deleteOldCandidates'>;
  database: Database;
  clock: Clock;
  retentionDays: number;
}

/** The jobs that add counts to the sums, pack events and drop old ones. */
export function rollupJobs({ store, candidates, database, clock, retentionDays }: RollupDeps): Job[] {
  /** Runs in one process at a time, so that an older sum never replaces a newer one. */
  const exclusively = <T>(work: (tx: Transaction) => Promise<T>, maxStatementMs?: number): Promise<T> =>
    database.transaction(
      async (tx) => {
        await tx.lock('analytics.rollups');
        return work(tx);
      },
      maxStatementMs === undefined ? {} : { maxStatementMs },
    );

  const addUp = job(jobKind('analytics.add-up'), {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: async (_data, { signal }) => {
      while (!signal.aborted && (await exclusively((tx) => store.fold(tx, FOLD_AT_ONCE))) === FOLD_AT_ONCE);
      while (
        !signal.aborted &&
        (await exclusively((tx) => presenceStore.link(tx, LINK_AT_ONCE))) === LINK_AT_ONCE
      );
      const storeSums = () =>
        exclusively(async (tx) => {
          const slots = await visitStore.takeDirty(tx, SLOTS_AT_ONCE);
          if (slots.length > 0) await visitStore.keep(tx, slots);
          return slots.length;
        });
      while (!signal.aborted && (await storeSums()) === SLOTS_AT_ONCE);
    },
  });

  const rotateMonths = job(jobKind('analytics.turn-months'), {
    cron: '20 3 * * *',
    atStart: true,
    concurrency: 1,
    retries: 5,
    timeoutSeconds: 1800,
    run: async () => {
      await exclusively((tx) => store.addMonths(tx, clock.date(), MONTHS_AHEAD));
      const oldest = new Date(clock.now() - retentionDays * DAY_MS);
      for (const month of await store.monthsBefore(oldest))
        await exclusively((tx) => store.dropMonth(tx, month), MAX_DROP_MS);
      await database.transaction((tx) => store.forgetSeen(tx, new Date(clock.now() - SEEN_MS)));
      await candidates.listWaiting(clock.date());
      await candidates.deleteOldCandidates(clock.date());
    },
  });

  return [addUp, packing({ database, clock, exclusively }), rotateMonths];
}
