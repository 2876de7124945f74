import {
  asUnavailable,
  type CheckoutState,
  type PaymentProvider,
  paymentUnavailable,
  UnreadableAnswer,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { type AlertOperators, endAlert } from '../../kernel/records/alerts.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import { attemptRules, endStuck } from './attempts.ts';
import { checkoutReports, isNews, isPaidAsOrdered } from './checkout-reports.ts';
import { type Checkout, eventDataOf } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import type { CheckoutFacts, CheckoutStatus, OpenCheckout, Order } from './contract.ts';
import { checkoutNotFound, checkoutPaid, priceOutOfRange } from './contract.ts';
import { reversalStates } from './reversal-states.ts';

type OpenedOrder = Pick<Checkout, 'sessionId' | 'userId' | 'cents'>;

interface CheckoutDeps {
  provider: PaymentProvider | undefined;
  store: CheckoutStore;
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  returnUrls: { success: string; cancel: string };
  alertOperators: AlertOperators;
}

/** Why a checkout failed that was paid with another amount or currency. */
const MISMATCH = 'the paid amount differs from the price';
const subjectOf = ({ sessionId }: Pick<Checkout, 'sessionId'>) => `checkout:${sessionId}`;

export function checkoutRules(deps: CheckoutDeps) {
  const { provider, store, database, events, clock, newId, returnUrls, alertOperators } = deps;
  const attempts = attemptRules({ ...deps, what: 'checkout', store: store.due });
  const { learnAll } = reversalStates(deps);

  async function settle(
    tx: Transaction,
    checkout: Checkout,
    ended: { status: CheckoutStatus; paymentId: string | null; reason: string | null },
  ): Promise<void> {
    const at = clock.date();
    await store.settle(tx, checkout.id, { ...ended, at });
    await endStuck(tx, 'checkout', checkout, at);
  }

  /** Checks that a session which is here already is that of the same order: its payment brings the Keys of that one. */
  async function checkRepeated(tx: Transaction, { sessionId, userId, cents }: OpenedOrder): Promise<void> {
    const former = await store.lockBySession(tx, sessionId);
    if (former?.userId === userId && former.cents === cents) return;
    const cause = new UnreadableAnswer(`the provider opened ${sessionId} for another order before`);
    throw Object.assign(paymentUnavailable(), { cause });
  }

  /**
   * Applies a state reported by the provider; a paid checkout stays paid, whatever is reported later. Returns whether it is
   * news.
   */
  async function applyProviderState(tx: Transaction, state: CheckoutState): Promise<boolean> {
    const checkout = await store.lockBySession(tx, state.sessionId);
    if (!checkout) return state.status === 'paid' && recordUnknown(tx, state);
    // Asked about a payment that has failed, the provider says no more than that it is not paid.
    const saysLess = state.status === 'open' && checkout.providerStatus === 'failed';
    if (state.status !== checkout.providerStatus && !saysLess)
      await store.setProviderStatus(tx, checkout.id, state.status);
    if (!isNews(checkout, state)) return false;
    if (state.status === 'paid' && !isPaidAsOrdered(checkout, state))
      return recordMismatch(tx, checkout, state);
    await settle(tx, checkout, { ...state, reason: null });
    if (state.status === 'paid') await publishPaid(tx, checkout);
    return true;
  }

  async function publishPaid(tx: Transaction, checkout: Checkout): Promise<void> {
    if (checkout.reason === MISMATCH)
      await endAlert(tx, subjectOf(checkout), { by: 'service:payments', at: clock.date() });
    await events.publish(tx, checkoutPaid, eventDataOf(checkout));
  }

  /** Ends an open checkout that the provider does not know, after its time. */
  async function expire(tx: Transaction, sessionId: string): Promise<void> {
    const checkout = await store.lockBySession(tx, sessionId);
    if (checkout?.status !== 'open') return;
    await settle(tx, checkout, { status: 'expired', paymentId: null, reason: null });
  }

  /** Records a payment for an unknown checkout; an operator must find out to whom it belongs. */
  async function recordUnknown(tx: Transaction, state: CheckoutState): Promise<boolean> {
    const { sessionId, paymentId, cents, currency, reference } = state;
    const details = { sessionId, paymentId, cents, currency, reference };
    const isNew = await store.insertUnknown(tx, sessionId, details, new Date(clock.now()));
    if (isNew)
      await alertOperators(tx, {
        action: 'payment.unknown-checkout',
        target: sessionId,
        details,
        openUntilDealtWith: subjectOf(state),
      });
    return isNew;
  }

  async function recordMismatch(tx: Transaction, checkout: Checkout, state: CheckoutState): Promise<boolean> {
    const { sessionId, paymentId, cents, currency } = state;
    const isNew = checkout.reason !== MISMATCH;
    await settle(tx, checkout, { status: 'failed', paymentId, reason: MISMATCH });
    if (isNew)
      await alertOperators(tx, {
        action: 'payment.amount-mismatch',
        target: checkout.userId,
        details: { sessionId, paymentId, expectedCents: checkout.cents, paidCents: cents, currency },
        openUntilDealtWith: subjectOf(checkout),
      });
    return isNew;
  }

  const reports = checkoutReports({ ...deps, attempts, learnAll, applyProviderState, expire });
  const { look } = reports;

  return {
    attempts,

    /** @throws checkoutNotFound */
    async factsOf(id: ObjectId): Promise<CheckoutFacts> {
      const facts = await store.facts(id);
      if (!facts) throw checkoutNotFound();
      return facts;
    },

    /** Queries the provider for a checkout at once. @throws paymentUnavailable */
    async reconcile(id: ObjectId): Promise<void> {
      const checkout = await store.find(id);
      if (!checkout) throw checkoutNotFound();
      if (!provider) throw paymentUnavailable();
      await attempts.noting(id, () => look(checkout)).catch(asUnavailable);
    },

    /**
     * Opens a checkout at the provider.
     * @param also runs in the transaction that stores the checkout
     * @throws paymentUnavailable, and nothing is stored; priceOutOfRange
     */
    async open(
      order: Order,
      also: (tx: Transaction, opened: OpenCheckout) => Promise<void>,
    ): Promise<OpenCheckout> {
      const { cents, userId, description, details, purpose } = order;
      if (!provider) throw paymentUnavailable();
      if (!Number.isSafeInteger(cents) || cents < provider.limits.min || cents > provider.limits.max)
        throw priceOutOfRange();
      const opened = await provider
        .openCheckout({
          // Includes the price, because an order at another price is a different order.
          idempotencyKey: `checkout-${order.idempotencyKey}-${cents}`,
          description,
          cents,
          reference: userId,
          successUrl: order.successUrl ?? returnUrls.success,
          cancelUrl: order.cancelUrl ?? returnUrls.cancel,
        })
        .catch(asUnavailable);
      const { sessionId, expiresAt } = opened;
      const at = clock.now();
      await database.transaction(async (tx) => {
        const checkout = { id: newId(), sessionId, userId, purpose, details, cents, expiresAt };
        const isNew = await store.insert(tx, checkout, new Date(at), new Date(at + MINUTE_MS));
        if (!isNew) await checkRepeated(tx, checkout);
        await also(tx, opened);
      });
      return opened;
    },

    ...reports,
  };
}

export type CheckoutRules = ReturnType<typeof checkoutRules>;
