import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { type MonthlyTable, months } from '../../kernel/records/months.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { CandidateStore } from './candidates.store.ts';
import { packing } from './packing.ts';
import { presenceStore } from './presence.store.ts';
import { rollupStore } from './rollups.store.ts';
import { SEEN_MS } from './tracking.model.ts';
import { visitStore } from './visits.store.ts';

const FOLD_AT_ONCE = 20_000;
/** Each arrival takes some tens of microseconds, so a statement takes at most seconds. */
const LINK_AT_ONCE = 4_000;
const SLOTS_AT_ONCE = 100;
/** Held by whoever adds to sums or drops what they are made of. */
const ROLLUPS = 'analytics.rollups';

interface RollupDeps {
  candidates: Pick<CandidateStore, 'listWaiting' | 'deleteOldCandidates'>;
  database: Database;
  clock: Clock;
  retentionDays: number;
  /** Keeps a month elsewhere before it is dropped. */
  archive: MonthlyTable['beforeDrop'];
}

/** The jobs that add counts to the sums, pack events and drop old ones. */
export function rollupJobs({ candidates, database, clock, retentionDays, archive }: RollupDeps): Job[] {
  /** Runs in one process at a time, so that an older sum never replaces a newer one. */
  const exclusively = <T>(work: (tx: Transaction) => Promise<T>, maxStatementMs?: number): Promise<T> =>
    database.transaction(
      async (tx) => {
        await tx.lock(ROLLUPS);
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
      while (
        !signal.aborted &&
        (await exclusively((tx) => rollupStore.fold(tx, FOLD_AT_ONCE))) === FOLD_AT_ONCE
      );
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

  const turnMonths = months(
    { database, clock },
    {
      name: 'analytics.turn-months',
      cron: '20 3 * * *',
      tables: [
        {
          table: 'analytics.event',
          days: retentionDays,
          keepsStrays: true,
          ...(archive && { beforeDrop: archive }),
          onDrop: async (tx, month) => {
            await tx.lock(ROLLUPS);
            await rollupStore.closeMonth(tx, month);
          },
        },
      ],
    },
  );

  const tidyUp = job(jobKind('analytics.tidy-up'), {
    cron: '40 3 * * *',
    atStart: true,
    concurrency: 1,
    run: async () => {
      await database.transaction((tx) => rollupStore.forgetSeen(tx, new Date(clock.now() - SEEN_MS)));
      await candidates.listWaiting(clock.date());
      await candidates.deleteOldCandidates(clock.date());
    },
  });

  return [addUp, packing({ database, clock, exclusively }), turnMonths, tidyUp];
}
