import type { DisputeState, FailedRefund, PaymentProvider } from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import type { AlertOperators } from '../../kernel/records/alerts.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Checkout } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import { type CheckoutRules, eventDataOf } from './checkouts.ts';
import { checkoutReversed, type ReversalCause } from './contract.ts';
import type { Dispute } from './disputes.model.ts';
import { disputeStore as disputes } from './disputes.store.ts';

interface ReversalDeps {
  provider: PaymentProvider | undefined;
  store: CheckoutStore;
  checkouts: CheckoutRules;
  database: Database;
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

/** Reversals of paid checkouts: refunds and disputes. */
export function reversalRules(deps: ReversalDeps) {
  const { provider, store, checkouts, database, events, clock, alertOperators } = deps;

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

  async function learnRefund(tx: Transaction, checkout: Checkout, reportedCents: number): Promise<void> {
    const refundedCents = Math.min(reportedCents, checkout.cents);
    if (refundedCents <= checkout.refundedCents) return;
    const before = await reversedOf(tx, checkout, checkout.refundedCents);
    await store.setRefunded(tx, checkout.id, refundedCents);
    const after = await reversedOf(tx, checkout, refundedCents);
    await publish(tx, checkout, { before, after }, { kind: 'refund', refundedCents });
  }

  async function learnDispute(tx: Transaction, checkout: Checkout, state: DisputeState): Promise<void> {
    const { disputeId, status, reason } = state;
    const earlier = await disputes.find(tx, disputeId);
    const cents = Math.min(state.cents, checkout.cents);
    if (earlier && (earlier.checkoutId !== checkout.id || !isNewer({ status, cents }, earlier))) return;
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
  }

  /**
   * Applies a reversal to the checkout of a payment. If the payment is not recorded yet, asks the provider for its
   * checkout; alerts operators, once to each report, if the checkout is unknown or brought nothing.
   */
  async function ofPayment(
    paymentId: string,
    report: Record<string, string | number>,
    apply: (tx: Transaction, checkout: Checkout) => Promise<void>,
  ): Promise<void> {
    const applyIfPaid = async (tx: Transaction): Promise<boolean> => {
      const checkout = await store.lockByPayment(tx, paymentId);
      if (checkout?.status !== 'paid') return false;
      await apply(tx, checkout);
      return true;
    };
    if (await database.transaction(applyIfPaid)) return;
    const state = await provider?.checkoutOfPayment(paymentId);
    await database.transaction(async (tx) => {
      if (state) await checkouts.applyProviderState(tx, state);
      if (await applyIfPaid(tx)) return;
      const details = { ...report, paymentId, sessionId: state?.sessionId ?? null };
      const subject = [paymentId, ...Object.values(report)].join(' ');
      if (await store.insertUnknown(tx, subject, details, new Date(clock.now())))
        await alertOperators(tx, {
          action: 'payment.unknown-reversal',
          target: paymentId,
          details,
          openUntilDealtWith: report.disputeId ? `dispute:${report.disputeId}` : `payment:${paymentId}`,
        });
    });
  }

  return {
    /** @param refundedCents total amount refunded of the payment */
    learnRefund: (paymentId: string, refundedCents: number) =>
      ofPayment(paymentId, { refundedCents }, (tx, checkout) => learnRefund(tx, checkout, refundedCents)),
    /** The Keys stay taken: the operator who refunds again would otherwise have to take them twice. */
    learnFailedRefund: ({ refundId, paymentId, cents }: FailedRefund) =>
      ofPayment(paymentId, { refundId, cents }, (tx, { sessionId, userId }) =>
        alertOperators(tx, {
          action: 'payment.refund-failed',
          target: userId,
          details: { refundId, paymentId, sessionId, cents },
          openUntilDealtWith: `refund:${refundId}`,
          isToldOnce: true,
        }),
      ),
    learnDispute: (state: DisputeState) =>
      ofPayment(
        state.paymentId,
        { disputeId: state.disputeId, status: state.status, cents: state.cents },
        (tx, checkout) => learnDispute(tx, checkout, state),
      ),
  };
}

export type ReversalRules = ReturnType<typeof reversalRules>;
