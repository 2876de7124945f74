import type { Logger } from 'pino';
import { paymentUnavailable } from '../../external/payment/port.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Due, DueStore } from './due.model.ts';

interface ReconcilingDeps<Row extends Due> {
  /** The kind of item, for the log. */
  what: 'checkout' | 'payout';
  store: DueStore<Row>;
  /** Queries the provider about an item and applies the answer. */
  look: (one: Row) => Promise<void>;
  /** Called on every fifth consecutive failure of an item while the provider is available, to alert a person. */
  onStuck: (one: Row, error: Error) => Promise<void>;
  clock: Clock;
  log: Logger;
}

/** Fewer than the consecutive failures that open the provider's circuit breaker. */
const AT_ONCE = 4;
const STUCK_ATTEMPTS = 5;

/**
 * Checks all due items, a few concurrently. A failing item is postponed without delaying others; if all items of a
 * batch find the provider unavailable, the rest stays due for the next run.
 */
export function reconciling<Row extends Due>({
  what,
  store,
  look,
  onStuck,
  clock,
  log,
}: ReconcilingDeps<Row>) {
  async function attempt(one: Row): Promise<'done' | 'failed' | 'unavailable'> {
    try {
      await look(one);
      if (one.attempts > 0) await store.clear(one.id);
      return 'done';
    } catch (error) {
      const isUnavailable = paymentUnavailable.is(error);
      const attempts = one.attempts + 1;
      const facts = { [what]: one.id, attempts, error: (error as Error).message };
      if (isUnavailable) log.warn(facts, `a ${what} could not be reconciled`);
      else log.error(facts, `a ${what} could not be reconciled`);
      await store.postpone(one.id, new Date(clock.now()), error as Error);
      if (attempts % STUCK_ATTEMPTS === 0 && !isUnavailable) await onStuck(one, error as Error);
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
