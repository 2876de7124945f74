import {
  type PaymentProvider,
  PaymentRefused,
  type PayoutState,
  paymentUnavailable,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import { notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import { type PayoutOutcome, payoutEnded, payoutSettled, payoutUnderWay } from './contract.ts';
import type { Payout, PayoutStore } from './payouts.store.ts';

export const SUBMIT_PAYOUT = 'merchant.submit-payout';

const payoutNotFound = notFound('Payout');
interface PayoutNeeds {
  provider: PaymentProvider | undefined;
  store: PayoutStore;
  database: Database;
  events: Events;
  jobs: Jobs;
  clock: Clock;
  newId: NewId;
}

/** What somebody decided about a payout, and what is written with it. */
interface Decision {
  outcome: PayoutOutcome;
  reason: string;
  also: (tx: Transaction) => Promise<void>;
}

const OPEN = ['queued', 'submitting', 'submitted'];
const isOpen = ({ status }: Payout): boolean => OPEN.includes(status);

/**
 * Payouts end once. As long as the provider can't know of one, whoever ends it first decides; from then on the provider
 * does: it is asked to cancel, and what it says counts.
 */
export function payoutRules({ provider, store, database, events, jobs, clock, newId }: PayoutNeeds) {
  async function settle(
    tx: Transaction,
    payout: Payout,
    outcome: PayoutOutcome,
    reason: string,
  ): Promise<void> {
    await store.settle(tx, payout.id, { outcome, reason, at: new Date(clock.now()) });
    await events.publish(tx, payoutSettled, { reference: payout.reference, outcome, reason });
  }

  /** Takes in what the provider says; of one it cancelled because we asked it to, we said how it ends. */
  async function learn(tx: Transaction, payout: Payout, state: PayoutState): Promise<void> {
    if (!isOpen(payout) || state.status === 'pending') return;
    const wasAsked = state.status === 'cancelled' && payout.ending !== null;
    const outcome = wasAsked ? (payout.ending as PayoutOutcome) : state.status;
    await settle(tx, payout, outcome, (wasAsked ? payout.reason : state.reason) ?? '');
  }

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
      if (found?.status === 'queued') await store.change(tx, payoutId, { status: 'submitting' });
      return found;
    });
    if (!payout || !['queued', 'submitting'].includes(payout.status)) return;
    const state = await submitted(payout);
    await database.transaction(async (tx) => {
      const now = (await store.lock(tx, payoutId)) as Payout;
      if (now.status !== 'submitting') return;
      if (state.payoutId)
        await store.change(tx, payoutId, { status: 'submitted', providerId: state.payoutId });
      await learn(tx, now, state);
    });
  }

  return {
    /** Asks, within the transaction of whoever needs it, that money be paid out. */
    async request(
      tx: Transaction,
      { reference, userId, cents }: { reference: string; userId: ObjectId; cents: number },
    ): Promise<void> {
      const id = newId();
      await store.insert(tx, { id, reference, userId, cents }, new Date(clock.now()));
      if (provider) await jobs.enqueue(tx, SUBMIT_PAYOUT, [{ payoutId: id }]);
    },

    submit,

    /**
     * Ends a payout as somebody decided, if it is still to be decided.
     * @throws payoutEnded when it ended otherwise, payoutUnderWay when the provider won't stop it, paymentUnavailable
     */
    async decide(reference: string, { outcome, reason, also }: Decision): Promise<void> {
      const payout = await database.transaction(async (tx) => {
        const found = await store.lockByReference(tx, reference);
        if (!found) throw payoutNotFound();
        if (found.status === 'queued') {
          await settle(tx, found, outcome, reason);
          await also(tx);
        } else if (isOpen(found)) {
          // Should its webhook overtake us, or we die before the answer, it ends as decided all the same.
          await store.change(tx, found.id, { ending: outcome, reason });
        } else throw payoutEnded();
        return found;
      });
      if (payout.status === 'queued') return;
      const known = payout.providerId ?? (await submitted(payout)).payoutId;
      const state: PayoutState =
        known === ''
          ? { payoutId: '', reference, status: 'failed', reason: 'the provider refused it' }
          : await (provider as PaymentProvider).cancelPayout(known);
      if (state.status === 'pending') throw payoutUnderWay();
      const ended = await database.transaction(async (tx) => {
        const now = (await store.lockByReference(tx, reference)) as Payout;
        await learn(tx, now, state);
        const { status } = (await store.lockByReference(tx, reference)) as Payout;
        if (status === outcome) await also(tx);
        return status;
      });
      if (ended !== outcome) throw payoutEnded();
    },

    /** A webhook may overtake the answer that tells us the provider's name of the payout: it tells ours, too. */
    async learn(state: PayoutState): Promise<void> {
      await database.transaction(async (tx) => {
        const payout = await store.lockByReference(tx, state.reference);
        if (!payout || (payout.providerId !== null && payout.providerId !== state.payoutId)) return;
        await store.change(tx, payout.id, { providerId: state.payoutId });
        await learn(tx, payout, state);
      });
    },

    /** Submits what was not, and asks the provider about the others. Answers how many it looked at. */
    async reconcile(most: number): Promise<number> {
      if (!provider) return 0;
      const due = await store.takeDue(most, new Date(clock.now()));
      for (const { id, providerId, reference } of due) {
        if (providerId === null) await submit(id);
        else {
          const gone = {
            ...{ payoutId: providerId, reference, status: 'failed' as const },
            reason: 'the provider does not know it',
          };
          const state = (await provider.payout(providerId)) ?? gone;
          await database.transaction(async (tx) => {
            const payout = await store.lock(tx, id);
            if (payout) await learn(tx, payout, state);
          });
        }
      }
      return due.length;
    },
  };
}

export type PayoutRules = ReturnType<typeof payoutRules>;
