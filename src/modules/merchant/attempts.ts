import { isOutage } from '../../external/payment/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type AlertOperators, endAlert } from '../../kernel/records/alerts.ts';
import type { Due, DueStore, Failing } from './due.model.ts';

interface AttemptDeps extends Pick<Core, 'database' | 'clock'> {
  /** The kind of item, for the log and the alerts. */
  what: 'checkout' | 'payout';
  store: Pick<DueStore<Due>, 'postpone' | 'note' | 'clear'>;
  alertOperators: AlertOperators;
}

/** After how many consecutive failures an item is stuck. */
const STUCK_ATTEMPTS = 5;
/** The same while the provider is unavailable, which is about a day: an outage by itself is no task for each item. */
const UNAVAILABLE_ATTEMPTS = 100;

const subjectOf = (what: AttemptDeps['what'], id: ObjectId) => `stuck-${what}:${id}`;

/** Closes the alert about a stuck item that has ended. Its row must be locked. */
export async function endStuck(
  tx: Transaction,
  what: AttemptDeps['what'],
  { id, attempts }: Due,
  at: Date,
): Promise<void> {
  if (attempts > 0) await endAlert(tx, subjectOf(what, id), { by: 'service:payments', at });
}

/**
 * Counts the failures of asking the provider about an item. While one is stuck, operators have an open alert, which closes
 * by itself once the provider has answered about it, or it has ended.
 */
export function attemptRules({ what, store, database, clock, alertOperators }: AttemptDeps) {
  async function succeeded(id: ObjectId): Promise<void> {
    await database.transaction(async (tx) => {
      const before = await store.clear(tx, id);
      if (before) await endStuck(tx, what, { id, attempts: before }, clock.date());
    });
  }

  async function countIn(tx: Transaction, id: ObjectId, error: Error, failing?: Failing): Promise<void> {
    if (!failing) return;
    const { attempts, userId, lastError } = failing;
    if (attempts % (isOutage(error) ? UNAVAILABLE_ATTEMPTS : STUCK_ATTEMPTS) !== 0) return;
    await alertOperators(tx, {
      action: `payment.${what}-stuck`,
      target: userId,
      details: { id, attempts, error: lastError },
      openUntilDealtWith: subjectOf(what, id),
    });
  }

  return {
    what,
    succeeded,

    /** Counts a failure, and postpones the next check. */
    postponed: (id: ObjectId, error: Error): Promise<void> =>
      database.transaction(async (tx) =>
        countIn(tx, id, error, await store.postpone(tx, id, clock.date(), error)),
      ),

    /** Runs a call to the provider about an item; keeps why it failed for administrators, and throws it. */
    async noting(id: ObjectId, call: () => Promise<void>): Promise<void> {
      try {
        await call();
      } catch (error) {
        await database.transaction(async (tx) =>
          countIn(tx, id, error as Error, await store.note(tx, id, error as Error)),
        );
        throw error;
      }
      await succeeded(id);
    },
  };
}

export type AttemptRules = ReturnType<typeof attemptRules>;
