import type { Database } from '../../kernel/database/database.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { floorDay, floorSlot } from './spans.model.ts';
import { sumStore } from './stored-sums.store.ts';

/**
 * Age from which sessions can no longer change: heartbeats and ends are at most a minute late, the silence that ends a
 * session, and commits take seconds.
 */
const FINAL_MS = 10 * MINUTE_MS;
/** A day of a hundred thousand sessions takes seconds, on a busy machine many seconds. */
const MAX_STATEMENT_MS = 5 * MINUTE_MS;

/**
 * Stores sums before an instant, at most a day of them; returns whether there are more. The lock ensures that one
 * process at a time does so.
 */
export const storeSums = (database: Pick<Database, 'transaction'>, until: Date): Promise<boolean> =>
  database.transaction(
    async (tx) => {
      await tx.lock('watching.keeping');
      const keptPeriods = await sumStore.storedUntil(tx);
      const first = keptPeriods ? undefined : await sumStore.firstStart(tx);
      if (!keptPeriods && !first) return false;
      const start = first ? floorDay(first) : new Date(0);
      const { slotsUntil, daysUntil } = keptPeriods ?? { slotsUntil: start, daysUntil: start };
      const nextDay = new Date(daysUntil.getTime() + DAY_MS);
      const slots = {
        from: slotsUntil,
        to: new Date(Math.min(floorSlot(until).getTime(), nextDay.getTime())),
      };
      if (slots.from >= slots.to) return false;
      await sumStore.raiseMemory(tx);
      await sumStore.storeSlots(tx, slots);
      const isDayOver = slots.to >= nextDay;
      if (isDayOver) await sumStore.storeDay(tx, { from: daysUntil, to: nextDay });
      await sumStore.setStoredUntil(tx, { slotsUntil: slots.to, daysUntil: isDayOver ? nextDay : daysUntil });
      return isDayOver;
    },
    { maxStatementMs: MAX_STATEMENT_MS },
  );

/** Whether the sums of all days before an instant are stored, so that they outlive the sessions. */
export const areSumsStored = async (database: Database, until: Date): Promise<boolean> => {
  const stored = await sumStore.storedUntil(database);
  return stored !== undefined && stored.daysUntil >= until;
};

/** Stores sums and peaks of sessions that can no longer change. */
export const storeSumsJob = ({ database, clock }: { database: Database; clock: Clock }): Job =>
  job(jobKind('watching.keep-sums'), {
    cron: '*/5 * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    timeoutSeconds: 3600,
    run: async (_data, { signal }) => {
      while (!signal.aborted && (await storeSums(database, new Date(clock.now() - FINAL_MS))));
    },
  });
