import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import type { Caller, UserCaller } from '../../../kernel/operations/callers.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { type Clock, HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import type { ElevationStore } from './elevation.store.ts';
import { isElevated } from './sessions.model.ts';

/** How long a step-up lasts. */
export const ELEVATION_MS = 10 * MINUTE_MS;

interface ElevationDeps {
  store: ElevationStore;
  clock: Clock;
  /** Keys that a session may send within an hour without a step-up. */
  stepUpKeys: number;
}

/**
 * Elevated sessions: those whose member has confirmed with a second factor within the last minutes. Members without
 * a second factor are never refused here.
 */
export function elevationRules({ store, clock, stepUpKeys }: ElevationDeps) {
  async function hasSteppedUp(tx: Transaction, { sessionId }: UserCaller): Promise<boolean> {
    const found = await store.lock(tx, sessionId);
    if (!found || found.isEnded) throw invalidToken();
    return !found.hasFactor || isElevated(found, clock.now());
  }

  /**
   * Whether a session would exceed its allowance by sending this number of Keys without a step-up; a session that
   * lacks a factor has no allowance.
   */
  async function exceedsLimit({ sessionId }: UserCaller, keys: number, queries?: Queries): Promise<boolean> {
    const found = await store.allowance(sessionId, new Date(clock.now() - HOUR_MS), queries);
    return !found || found.lacksFactor || keys + found.sent > stepUpKeys;
  }

  async function mustBeElevated(tx: Transaction, caller: UserCaller): Promise<void> {
    if (!(await hasSteppedUp(tx, caller))) throw stepUpRequired();
  }

  return {
    /**
     * Like {@link StepUp.mustHaveSteppedUp}, but also sees a factor that was added since the request began. The
     * member must be locked.
     */
    mustBeElevated,
    /**
     * Checks, in the transaction that a step-up guards, that the session of a member with a second factor is
     * elevated, and keeps it so until the transaction ends.
     * @throws stepUpRequired, invalidToken if the session has ended
     */
    async mustHaveSteppedUp(tx: Transaction, caller: Caller): Promise<void> {
      if (caller.kind !== 'user' || !caller.hasFactor) return;
      await mustBeElevated(tx, caller);
    },

    /**
     * Refuses a payment that the ledger would refuse, before it is part of a batch.
     * @throws stepUpRequired
     */
    async mayPay(caller: UserCaller, keys: number): Promise<void> {
      if (!caller.hasFactor || caller.isElevated) return;
      if (await exceedsLimit(caller, keys)) throw stepUpRequired();
    },

    /** See {@link StepUp.hold}. */
    async hold(tx: Transaction, { sessionId }: UserCaller): Promise<void> {
      await store.lock(tx, sessionId);
    },

    /**
     * Counts the Keys that the session of a member with a second factor sends, in the transaction of the payment.
     * The wallet of the member must be locked, so that concurrent payments are counted one after the other.
     * @throws stepUpRequired if the Keys of an hour exceed the limit, unless the session is elevated
     */
    async admitPayment(tx: Transaction, caller: UserCaller, keys: number): Promise<void> {
      if (!caller.hasFactor) return;
      const mayPay = (await hasSteppedUp(tx, caller)) || !(await exceedsLimit(caller, keys, tx));
      if (!mayPay) throw stepUpRequired();
      await store.insertSent(tx, caller.sessionId, keys, clock.date());
    },

    /** Elevates the session of the caller, who must be locked. @throws invalidToken if it has ended */
    async elevate(tx: Transaction, { sessionId }: UserCaller): Promise<Date> {
      const until = new Date(clock.now() + ELEVATION_MS);
      if (!(await store.elevate(tx, sessionId, until))) throw invalidToken();
      return until;
    },

    /** Ends the elevation of every session of a member, who must be locked. */
    end: (tx: Transaction, userId: ObjectId): Promise<void> => store.end(tx, userId),
  };
}

export type ElevationRules = ReturnType<typeof elevationRules>;
