import {
  type CheckoutState,
  type PaymentProvider,
  PaymentRefused,
  paymentUnavailable,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/events.ts';
import type { NewId } from '../../kernel/ids.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time.ts';
import type { Checkout, CheckoutStore } from './checkouts.store.ts';
import type { OpenCheckout, Order } from './contract.ts';
import { checkoutPaid, checkoutRefunded, priceOutOfRange } from './contract.ts';

interface CheckoutNeeds {
  provider: PaymentProvider | undefined;
  store: CheckoutStore;
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  returnUrls: { success: string; cancel: string };
  onMismatch: (facts: object) => void;
}

const CURRENCY = 'usd';

export function checkoutRules(needs: CheckoutNeeds) {
  const { provider, store, database, events, clock, newId, returnUrls, onMismatch } = needs;

  /** Takes in what the provider says of a checkout; once it is paid it stays so, whatever comes late. */
  async function learn(tx: Transaction, state: CheckoutState): Promise<void> {
    if (state.status === 'open') return;
    const checkout = await store.lockBySession(tx, state.sessionId);
    if (!checkout || checkout.status === 'paid') return;
    // Of what did not come to anything only a payment makes something else.
    if (state.status !== 'paid' && checkout.status !== 'open') return;
    const at = new Date(clock.now());
    if (state.status === 'paid' && (state.cents !== checkout.cents || state.currency !== CURRENCY)) {
      onMismatch({ expected: checkout.cents, ...state });
      const settled = { status: 'failed' as const, paymentId: state.paymentId, at };
      await store.settle(tx, checkout.id, {
        ...settled,
        reason: 'another amount was paid than was asked for',
      });
      return;
    }
    await store.settle(tx, checkout.id, { ...state, reason: null, at });
    if (state.status === 'paid') await events.publish(tx, checkoutPaid, toldOf(checkout));
  }

  async function learnRefund(tx: Transaction, paymentId: string, refundedCents: number): Promise<boolean> {
    const checkout = await store.lockByPayment(tx, paymentId);
    if (!checkout) return false;
    const refunded = Math.min(refundedCents, checkout.cents);
    if (checkout.status === 'paid' && refunded > checkout.refundedCents) {
      await store.setRefunded(tx, checkout.id, refunded);
      await events.publish(tx, checkoutRefunded, { ...toldOf(checkout), refundedCents: refunded });
    }
    return true;
  }

  return {
    /**
     * Opens a checkout at the provider.
     * @param also written in the transaction that keeps it
     * @throws paymentUnavailable, and then nothing is left behind; priceOutOfRange
     */
    async open(
      order: Order,
      also: (tx: Transaction, opened: OpenCheckout) => Promise<void>,
    ): Promise<OpenCheckout> {
      const { cents, userId, description, details, purpose } = order;
      if (!provider) throw paymentUnavailable();
      if (!Number.isSafeInteger(cents) || cents < provider.limits.least || cents > provider.limits.most)
        throw priceOutOfRange();
      const opened = await provider
        .openCheckout({
          // The price is part of it: another price is another order.
          idempotencyKey: `checkout-${order.idempotencyKey}-${cents}`,
          ...{ description, cents, reference: userId },
          successUrl: order.successUrl ?? returnUrls.success,
          cancelUrl: order.cancelUrl ?? returnUrls.cancel,
        })
        .catch((error) => {
          throw error instanceof PaymentRefused
            ? Object.assign(paymentUnavailable(), { cause: error })
            : error;
        });
      const { sessionId, expiresAt } = opened;
      const at = clock.now();
      await database.transaction(async (tx) => {
        const checkout = { id: newId(), sessionId, userId, purpose, details, cents, expiresAt };
        await store.insert(tx, checkout, new Date(at), new Date(at + MINUTE_MS));
        await also(tx, opened);
      });
      return opened;
    },

    learn: (state: CheckoutState) => database.transaction((tx) => learn(tx, state)),

    /** Takes in a refund; that of a payment we have not heard of yet brings the payment's checkout with it. */
    async learnRefund(paymentId: string, refundedCents: number): Promise<void> {
      if (await database.transaction((tx) => learnRefund(tx, paymentId, refundedCents))) return;
      const state = await provider?.checkoutOfPayment(paymentId);
      if (!state) return;
      await database.transaction(async (tx) => {
        await learn(tx, state);
        await learnRefund(tx, paymentId, refundedCents);
      });
    },

    /** Asks the provider about those whose webhook has not come. Answers how many it looked at. */
    async reconcile(most: number): Promise<number> {
      if (!provider) return 0;
      const due = await store.takeDue(most, new Date(clock.now()));
      for (const { sessionId, expiresAt } of due) {
        const state = await provider.checkout(sessionId);
        if (state) await database.transaction((tx) => learn(tx, state));
        else if (expiresAt.getTime() < clock.now()) {
          const gone = { status: 'expired' as const, cents: 0, currency: CURRENCY, paymentId: null };
          await database.transaction((tx) => learn(tx, { ...gone, sessionId }));
        }
      }
      return due.length;
    },
  };
}

export type CheckoutRules = ReturnType<typeof checkoutRules>;

const toldOf = ({ id, sessionId, purpose, userId, cents, details }: Checkout) => ({
  ...{ checkoutId: id, sessionId, purpose, userId, cents, details },
});
