import { Type } from 'typebox';
import {
  asUnavailable,
  CURRENCY,
  type PaymentProvider,
  PaymentRefused,
  type PayoutState,
  paymentUnavailable,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { type Jobs, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { AlertOperators } from '../../kernel/records/alerts.ts';
import { type Clock, HOUR_MS } from '../../kernel/time/time.ts';
import { attemptRules } from './attempts.ts';
import { type PayoutDecision, payoutUnderWay, payoutUnknown } from './contract.ts';
import { keptDecisions } from './kept-decisions.ts';
import { payoutReports } from './payout-reports.ts';
import { isOpen, payoutStates } from './payout-states.ts';
import type { Payout } from './payouts.model.ts';
import type { PayoutStore } from './payouts.store.ts';

export const submitPayout = jobKind('merchant.submit-payout', {
  version: 1,
  data: Type.Object({ payoutId: ObjectIdShape }),
});

const payoutNotFound = notFound('Payout');

/** For how long the provider returns the existing payout for the same key. Stripe keeps keys for at least a day. */
const KEY_LASTS_MS = 23 * HOUR_MS;
/** By how much the provider's clock may be behind ours. */
const CLOCK_SKEW_MS = HOUR_MS;

/**
 * Creates the payout at the provider; idempotent.
 * @throws paymentUnavailable
 */
async function submitted(
  provider: PaymentProvider | undefined,
  { id, cents, reference, createdAt }: Payout,
  nowMs: number,
): Promise<PayoutState> {
  if (!provider) throw paymentUnavailable();
  const madeAtMs = createdAt.getTime();
  if (nowMs - madeAtMs > KEY_LASTS_MS) {
    // The answer to an earlier attempt may have been lost, and its key be forgotten. That goes for one that was never
    // submitted, too: it may be that of a restored backup.
    const made = await provider.payoutOf(reference, new Date(madeAtMs - CLOCK_SKEW_MS));
    if (made) return made;
  }
  try {
    return await provider.createPayout({ idempotencyKey: `payout-${id}`, cents, reference });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    return { payoutId: '', reference, cents, currency: CURRENCY, status: 'failed', reason: error.message };
  }
}

/**
 * Requests cancellation from the provider; returns the resulting state of the payout.
 * @throws paymentUnavailable, payoutUnknown
 */
async function cancelled(
  provider: PaymentProvider | undefined,
  payout: Payout,
  nowMs: number,
): Promise<PayoutState> {
  if (!provider) throw paymentUnavailable();
  let { providerId } = payout;
  if (providerId === null) {
    const state = await submitted(provider, payout, nowMs);
    if (state.payoutId === '') return state;
    providerId = state.payoutId;
  }
  const state = await provider.cancelPayout(providerId);
  if (!state) throw payoutUnknown();
  return state;
}

interface PayoutDeps {
  provider: PaymentProvider | undefined;
  store: PayoutStore;
  database: Database;
  events: Events;
  jobs: Jobs;
  clock: Clock;
  newId: NewId;
  alertOperators: AlertOperators;
}

/**
 * Payouts, each of which ends once. Before the provider may have received a payout, the first decision ends it;
 * afterwards the provider is asked to cancel it, and its answer is authoritative.
 */
export function payoutRules(deps: PayoutDeps) {
  const { provider, store, database, jobs, clock, newId } = deps;
  const { settle, applyProviderState, endUnknown } = payoutStates(deps);
  const { isToBeStopped, dropUnlessEnded } = keptDecisions(deps);
  const attempts = attemptRules({ ...deps, what: 'payout', store: store.due });

  async function submit(payoutId: ObjectId): Promise<void> {
    const payout = await database.transaction(async (tx) => {
      const found = await store.lock(tx, payoutId);
      if (found?.status === 'queued') await store.setStatus(tx, payoutId, 'submitting');
      return found;
    });
    if (!payout || !['queued', 'submitting'].includes(payout.status)) return;
    const isStopped = await isToBeStopped(payout);
    const state = isStopped
      ? await cancelled(provider, payout, clock.now())
      : await submitted(provider, payout, clock.now());
    await database.transaction(async (tx) => {
      const now = (await store.lock(tx, payoutId)) as Payout;
      if (now.status !== 'submitting') return;
      if (state.payoutId) {
        await store.setStatus(tx, payoutId, 'submitted');
        await store.setProviderId(tx, payoutId, state.payoutId);
      }
      await applyProviderState(tx, now, state);
      if (isStopped) await dropUnlessEnded(tx, now);
    });
  }

  /** Applies the decision; returns whether it ended the payout, or undefined if the provider must be asked first. */
  async function decideLocally(
    tx: Transaction,
    payout: Payout,
    decision: PayoutDecision,
  ): Promise<boolean | undefined> {
    const isLeftToOperators = isOpen(payout) && payout.mispaid;
    if (isLeftToOperators && !decision.isOperators) throw payoutUnderWay();
    if (payout.status === 'queued' || isLeftToOperators) {
      const { outcome, reason, id, details } = decision;
      await settle(tx, payout, { outcome, reason, decision: { id, details } });
      return true;
    }
    if (!isOpen(payout)) return payout.decisionId === decision.id;
    // Stored before the call, so that the decision applies even if the webhook arrives first or the process dies before
    // the answer.
    await store.setDecision(tx, payout.id, decision);
    return undefined;
  }

  /**
   * Submits a payout that was not submitted; queries the provider for the state of any other, or has it cancelled if that
   * was decided while the provider could not be reached.
   * @throws payoutUnknown when the provider does not know a payout that it created. That is inconclusive: credentials of
   * another account give the same answer
   */
  async function look({ id, providerId }: Payout): Promise<void> {
    if (!provider) return;
    if (providerId === null) return submit(id);
    const before = await database.transaction((tx) => store.lock(tx, id));
    const isStopped = before !== undefined && isOpen(before) && (await isToBeStopped(before));
    const found = await provider.payout(providerId);
    if (!found) throw payoutUnknown();
    const state =
      isStopped && found.status === 'pending' ? await cancelled(provider, before, clock.now()) : found;
    await database.transaction(async (tx) => {
      const payout = await store.lock(tx, id);
      if (!payout) return;
      await applyProviderState(tx, payout, state);
      if (isStopped) await dropUnlessEnded(tx, before);
    });
  }

  return {
    /** Requests a payout within the caller's transaction. */
    async request(
      tx: Transaction,
      { reference, userId, cents }: { reference: string; userId: ObjectId; cents: number },
    ): Promise<void> {
      const id = newId();
      await store.insert(tx, { id, reference, userId, cents }, new Date(clock.now()));
      if (provider) await jobs.enqueue(tx, submitPayout, [{ payoutId: id }]);
    },

    submit: (id: ObjectId): Promise<void> => attempts.noting(id, () => submit(id)),

    /** Asks the provider about an open payout at once. @throws paymentUnavailable, payoutUnknown */
    async retry(reference: string): Promise<void> {
      const payout = await store.find(reference);
      if (!payout) throw payoutNotFound();
      if (!isOpen(payout)) return;
      if (!provider) throw paymentUnavailable();
      await attempts.noting(payout.id, () => look(payout)).catch(asUnavailable);
    },

    /**
     * Ends an open payout by decision. A later decision replaces one that has not taken effect, so that the last one
     * before the end counts. One that was paid with another amount, or that the provider
     * does not know, is ended by operators alone. `also` runs in the transaction that records the result, for that decision only.
     * @returns false when the payout ended otherwise or by another decision; this one is then discarded
     * @throws payoutUnderWay when the provider cannot cancel it, and the decision is discarded; paymentUnavailable, and
     * a decision to stop it is kept and carried out later, because the provider may have received the request
     */
    async decide(
      reference: string,
      decision: PayoutDecision,
      also: (tx: Transaction) => Promise<void>,
    ): Promise<boolean> {
      const { payout, isDecided } = await database.transaction(async (tx) => {
        const payout = await store.lockByReference(tx, reference);
        if (!payout) throw payoutNotFound();
        const isDecided = await decideLocally(tx, payout, decision);
        if (isDecided) await also(tx);
        return { payout, isDecided };
      });
      if (isDecided !== undefined) return isDecided;
      const state = await cancelled(provider, payout, clock.now()).catch(async (error) => {
        const isUnknown = payoutUnknown.is(error);
        if (isUnknown && decision.isOperators && payout.providerId !== null) return undefined;
        if (decision.outcome === 'paid')
          await database.transaction((tx) => store.dropDecision(tx, payout.id, decision.id));
        if (isUnknown) throw Object.assign(paymentUnavailable(), { cause: error });
        return asUnavailable(error);
      });
      const ended = await database.transaction(async (tx) => {
        const before = (await store.lockByReference(tx, reference)) as Payout;
        if (state) await applyProviderState(tx, before, state);
        else await endUnknown(tx, before, decision);
        const now = (await store.lockByReference(tx, reference)) as Payout;
        if (isOpen(now)) await store.dropDecision(tx, now.id, decision.id);
        else if (now.decisionId === decision.id) await also(tx);
        return now;
      });
      if (isOpen(ended)) throw payoutUnderWay();
      return ended.decisionId === decision.id;
    },

    applyReport: payoutReports({ ...deps, applyProviderState }),

    look,
    attempts,
  };
}

export type PayoutRules = ReturnType<typeof payoutRules>;
