import type { DisputeState, Reversals } from '../../external/payment/port.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import type { AlertOperators } from '../../kernel/records/alerts.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { type Checkout, eventDataOf } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import { checkoutReversed, type ReversalCause } from './contract.ts';
import type { Dispute } from './disputes.model.ts';
import { disputeStore as disputes } from './disputes.store.ts';

interface ReversalStateDeps {
  store: Pick<CheckoutStore, 'setRefunded'>;
  events: Events;
  clock: Clock;
  alertOperators: AlertOperators;
}

/** Order of dispute states; a late or duplicate report, which does not raise the rank, is ignored. */
const RANKS = { inquiry: 0, open: 1, lost: 2, won: 3 };
/** Of the same status, only a dispute of more money is news: reports arrive in any order. */
const isNewer = (now: Pick<Dispute, 'status' | 'cents'>, before: Dispute): boolean =>
  RANKS[now.status] > RANKS[before.status] || (now.status === before.status && now.cents > before.cents);

const ALERTS = {
  inquiry: 'payment.dispute-inquiry',
  open: 'payment.dispute-opened',
  lost: 'payment.dispute-lost',
  won: 'payment.dispute-won',
};

/** What refunds and disputes do to a paid checkout, whose row must be locked; each report takes effect once. */
export function reversalStates({ store, events, clock, alertOperators }: ReversalStateDeps) {
  /** Returns the currently reversed amount of a checkout, in cents. */
  async function reversedOf(
    tx: Transaction,
    { id, cents }: Checkout,
    refundedCents: number,
  ): Promise<number> {
    return Math.min(cents, refundedCents + (await disputes.heldCents(tx, id)));
  }

  /** Publishes a change of the reversed amount; what takes or returns no money, such as an inquiry, is none. */
  async function publish(
    tx: Transaction,
    checkout: Checkout,
    { before, after }: { before: number; after: number },
    cause: ReversalCause,
  ) {
    if (after === before) return;
    await events.publish(tx, checkoutReversed, {
      ...eventDataOf(checkout),
      reversedCents: after,
      changedCents: after - before,
      cause,
    });
  }

  /** Returns the checkout as it is then. */
  async function learnRefund(tx: Transaction, checkout: Checkout, reportedCents: number): Promise<Checkout> {
    const refundedCents = Math.min(reportedCents, checkout.cents);
    if (refundedCents <= checkout.refundedCents) return checkout;
    const before = await reversedOf(tx, checkout, checkout.refundedCents);
    await store.setRefunded(tx, checkout.id, refundedCents);
    const after = await reversedOf(tx, checkout, refundedCents);
    await publish(tx, checkout, { before, after }, { kind: 'refund', refundedCents });
    return { ...checkout, refundedCents };
  }

  /** Tells operators of a dispute that is known for another payment: nothing is taken twice for one. */
  async function tellOfAnother(
    tx: Transaction,
    { userId, sessionId, paymentId }: Checkout,
    { disputeId, status, cents }: DisputeState,
  ): Promise<boolean> {
    return alertOperators(tx, {
      action: 'payment.dispute-of-another-payment',
      target: userId,
      details: { disputeId, sessionId, paymentId, status, cents },
      openUntilDealtWith: `dispute-of-another:${disputeId}`,
      isToldOnce: true,
    });
  }

  /** Returns whether it is news. */
  async function learnDispute(tx: Transaction, checkout: Checkout, state: DisputeState): Promise<boolean> {
    const { disputeId, status, reason } = state;
    const earlier = await disputes.find(tx, disputeId);
    const cents = Math.min(state.cents, checkout.cents);
    if (earlier && earlier.checkoutId !== checkout.id) return tellOfAnother(tx, checkout, state);
    if (earlier && !isNewer({ status, cents }, earlier)) return false;
    const { id: checkoutId, refundedCents, sessionId, paymentId, userId } = checkout;
    const before = await reversedOf(tx, checkout, refundedCents);
    await disputes.save(tx, { id: disputeId, checkoutId, cents, status }, new Date(clock.now()));
    const details = { disputeId, sessionId, paymentId, cents, reason };
    const subject = `dispute:${disputeId}`;
    const isDecided = status === 'won' || status === 'lost';
    await alertOperators(tx, {
      action: ALERTS[status],
      target: userId,
      details,
      ...(isDecided ? { endOf: subject } : { openUntilDealtWith: subject }),
    });
    const kind = status === 'won' ? 'dispute-won' : 'dispute';
    const after = await reversedOf(tx, checkout, refundedCents);
    await publish(tx, checkout, { before, after }, { kind, disputeId, disputedCents: cents });
    return true;
  }

  return {
    learnRefund,
    learnDispute,

    /** Applies all that the provider knows of a payment. */
    async learnAll(
      tx: Transaction,
      checkout: Checkout,
      { refundedCents, disputes }: Reversals,
    ): Promise<void> {
      const refunded = await learnRefund(tx, checkout, refundedCents);
      for (const dispute of disputes) await learnDispute(tx, refunded, dispute);
    },
  };
}

export type ReversalStates = ReturnType<typeof reversalStates>;
