import type { Logger } from 'pino';
import { isOutage } from '../../external/payment/port.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { AttemptRules } from './attempts.ts';
import type { Due, DueStore } from './due.model.ts';

interface ReconcilingDeps<Row extends Due> {
  store: Pick<DueStore<Row>, 'take'>;
  /** Queries the provider about an item and applies the answer. */
  look: (one: Row) => Promise<void>;
  attempts: Pick<AttemptRules, 'what' | 'succeeded' | 'postponed'>;
  clock: Clock;
  log: Logger;
}

/** Fewer than the consecutive failures that open the provider's circuit breaker. */
const AT_ONCE = 4;

/**
 * Checks all due items, a few concurrently. A failing item is postponed without delaying others; if all items of a
 * batch find the provider unavailable, the rest stays due for the next run.
 */
export function reconciling<Row extends Due>({ store, look, attempts, clock, log }: ReconcilingDeps<Row>) {
  const { what } = attempts;

  async function attempt(one: Row): Promise<'done' | 'failed' | 'unavailable'> {
    try {
      await look(one);
      if (one.attempts > 0) await attempts.succeeded(one.id);
      return 'done';
    } catch (error) {
      const isUnavailable = isOutage(error);
      const facts = { [what]: one.id, attempts: one.attempts + 1, error: (error as Error).message };
      if (isUnavailable) log.warn(facts, `a ${what} could not be reconciled`);
      else log.error(facts, `a ${what} could not be reconciled`);
      await attempts.postponed(one.id, error as Error);
      return isUnavailable ? 'unavailable' : 'failed';
    }
  }

  return async (): Promise<void> => {
    for (;;) {
      const due = await store.take(AT_ONCE, new Date(clock.now()));
      if (due.length === 0) return;
      const outcomes = await Promise.all(due.map(attempt));
      if (outcomes.every((outcome) => outcome === 'unavailable')) return;
    }
  };
}
