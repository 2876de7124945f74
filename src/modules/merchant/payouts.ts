import { Type } from 'typebox';
import {
  type PaymentProvider,
  PaymentRefused,
  type PayoutState,
  paymentUnavailable,
} from '../../external/payment/port.ts';
import type { TellOperators } from '../../kernel/alerts.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Jobs, jobKind } from '../../kernel/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Clock } from '../../kernel/time.ts';
import { type PayoutDecision, payoutUnderWay } from './contract.ts';
import { isOpen, payoutStates } from './payout-states.ts';
import type { Payout, PayoutStore } from './payouts.store.ts';

export const submitPayout = jobKind('merchant.submit-payout', Type.Object({ payoutId: ObjectIdShape }));

const payoutNotFound = notFound('Payout');

interface PayoutDeps {
  provider: PaymentProvider | undefined;
  store: PayoutStore;
  database: Database;
  events: Events;
  jobs: Jobs;
  clock: Clock;
  newId: NewId;
  tellOperators: TellOperators;
}

/**
 * Payouts end once. As long as the provider can't know of one, whoever ends it first decides; from then on the provider
 * does: it is asked to cancel, and what it says counts.
 */
export function payoutRules(deps: PayoutDeps) {
  const { provider, store, database, jobs, clock, newId } = deps;
  const { settle, applyProviderState } = payoutStates(deps);

  /** Asks the provider for the payout; asked again it answers the same one. */
  async function submitted(payout: Payout): Promise<PayoutState> {
    if (!provider) throw paymentUnavailable();
    const { id, cents, reference } = payout;
    try {
      return await provider.createPayout({ idempotencyKey: `payout-${id}`, cents, reference });
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error;
      return { payoutId: '', reference, status: 'failed', reason: error.message };
    }
  }

  async function submit(payoutId: ObjectId): Promise<void> {
    const payout = await database.transaction(async (tx) => {
      const found = await store.lock(tx, payoutId);
      if (found?.status === 'queued') await store.setStatus(tx, payoutId, 'submitting');
      return found;
    });
    if (!payout || !['queued', 'submitting'].includes(payout.status)) return;
    const state = await submitted(payout);
    await database.transaction(async (tx) => {
      const now = (await store.lock(tx, payoutId)) as Payout;
      if (now.status !== 'submitting') return;
      if (state.payoutId) {
        await store.setStatus(tx, payoutId, 'submitted');
        await store.setProviderId(tx, payoutId, state.payoutId);
      }
      await applyProviderState(tx, now, state);
    });
  }

  /** Asks the provider to cancel, and answers what became of the payout either way. */
  async function cancelled(payout: Payout): Promise<PayoutState> {
    if (payout.providerId !== null) return (provider as PaymentProvider).cancelPayout(payout.providerId);
    const state = await submitted(payout);
    return state.payoutId === '' ? state : (provider as PaymentProvider).cancelPayout(state.payoutId);
  }

  /** The decision as it takes effect at once, or undefined when the provider must be asked first. */
  async function decideHere(
    tx: Transaction,
    payout: Payout,
    decision: PayoutDecision,
  ): Promise<boolean | undefined> {
    if (payout.status === 'queued') {
      const { outcome, reason, id, details } = decision;
      await settle(tx, payout, { outcome, reason, decision: { id, details } });
      return true;
    }
    if (!isOpen(payout)) return payout.decisionId === decision.id;
    // Should its webhook overtake us, or we die before the answer, it ends as decided all the same.
    await store.setDecision(tx, payout.id, decision);
    return undefined;
  }

  return {
    /** Asks, within the transaction of whoever needs it, that money be paid out. */
    async request(
      tx: Transaction,
      { reference, userId, cents }: { reference: string; userId: ObjectId; cents: number },
    ): Promise<void> {
      const id = newId();
      await store.insert(tx, { id, reference, userId, cents }, new Date(clock.now()));
      if (provider) await jobs.enqueue(tx, submitPayout, [{ payoutId: id }]);
    },

    submit,

    /**
     * Ends a payout as somebody decided, if it is still to be decided. A later decision takes the place of one that has
     * not taken effect, so that of several the last one before the end counts. `also` is written with the answer, for that one alone.
     * @returns false when it ended otherwise, or by another decision; the decision is forgotten then
     * @throws payoutUnderWay when the provider won't stop it, and then the decision is forgotten; paymentUnavailable,
     *   and then it stands, because the provider may have heard it
     */
    async decide(
      reference: string,
      decision: PayoutDecision,
      also: (tx: Transaction) => Promise<void>,
    ): Promise<boolean> {
      const { payout, isDecided } = await database.transaction(async (tx) => {
        const payout = await store.lockByReference(tx, reference);
        if (!payout) throw payoutNotFound();
        const isDecided = await decideHere(tx, payout, decision);
        if (isDecided) await also(tx);
        return { payout, isDecided };
      });
      if (isDecided !== undefined) return isDecided;
      const state = await cancelled(payout);
      const ended = await database.transaction(async (tx) => {
        await applyProviderState(tx, (await store.lockByReference(tx, reference)) as Payout, state);
        const now = (await store.lockByReference(tx, reference)) as Payout;
        if (isOpen(now)) await store.dropDecision(tx, now.id, decision.id);
        else if (now.decisionId === decision.id) await also(tx);
        return now;
      });
      if (isOpen(ended)) throw payoutUnderWay();
      return ended.decisionId === decision.id;
    },

    /** A webhook may overtake the answer that tells us the provider's name of the payout: it tells ours, too. */
    async applyReport(state: PayoutState): Promise<void> {
      await database.transaction(async (tx) => {
        const payout = await store.lockByReference(tx, state.reference);
        if (!payout || (payout.providerId !== null && payout.providerId !== state.payoutId)) return;
        if (payout.providerId === null) await store.setProviderId(tx, payout.id, state.payoutId);
        await applyProviderState(tx, payout, state);
      });
    },

    /**
     * Submits what was not, and asks the provider about what was.
     * @throws Error when the provider says that it does not know a payout it has named to us. That is no news of the
     *   money: keys of another account answer so, too
     */
    async look({ id, providerId }: Payout): Promise<void> {
      if (!provider) return;
      if (providerId === null) return submit(id);
      const state = await provider.payout(providerId);
      if (!state) throw new Error('The payment provider does not know a payout that it made');
      await database.transaction(async (tx) => {
        const payout = await store.lock(tx, id);
        if (payout) await applyProviderState(tx, payout, state);
      });
    },
  };
}

export type PayoutRules = ReturnType<typeof payoutRules>;
