import {
  asUnavailable,
  type DisputeState,
  type FailedRefund,
  type PaymentProvider,
} from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type AlertOperators, endAlert, wasDealtWith } from '../../kernel/records/alerts.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Checkout } from './checkouts.model.ts';
import type { CheckoutStore } from './checkouts.store.ts';
import type { CheckoutRules } from './checkouts.ts';
import type { ReversalStates } from './reversal-states.ts';

interface ReversalDeps {
  provider: PaymentProvider | undefined;
  store: CheckoutStore;
  checkouts: CheckoutRules;
  states: Pick<ReversalStates, 'learnRefund' | 'learnDispute'>;
  database: Database;
  clock: Clock;
  alertOperators: AlertOperators;
}

/** Reversals of paid checkouts that the provider reports by webhooks: refunds and disputes. */
export function reversalRules(deps: ReversalDeps) {
  const { provider, store, checkouts, states, database, clock, alertOperators } = deps;

  /**
   * Applies a reversal to the checkout of a payment. If the payment is not recorded yet, asks the provider for its
   * checkout; alerts operators, once to each report, if the checkout is unknown or brought nothing. Returns whether it is news.
   */
  async function ofPayment(
    paymentId: string,
    report: Record<string, string | number>,
    apply: (tx: Transaction, checkout: Checkout) => Promise<boolean>,
  ): Promise<boolean> {
    /** Returns undefined if the payment is not recorded. */
    const applyIfPaid = async (tx: Transaction): Promise<boolean | undefined> => {
      const checkout = await store.lockByPayment(tx, paymentId);
      return checkout?.status === 'paid' ? apply(tx, checkout) : undefined;
    };
    const isNews = await database.transaction(applyIfPaid);
    if (isNews !== undefined) return isNews;
    const state = await provider?.checkoutOfPayment(paymentId).catch(asUnavailable);
    const applyOrTell = async (tx: Transaction): Promise<boolean> => {
      const isReversalNews = await applyIfPaid(tx);
      if (isReversalNews !== undefined) return isReversalNews;
      const details = { ...report, paymentId, sessionId: state?.sessionId ?? null };
      const subject = [paymentId, ...Object.values(report)].join(' ');
      const isNew = await store.insertUnknown(tx, subject, details, clock.date());
      if (isNew) await alertToUnknown(tx, { ...report, paymentId }, details);
      return isNew;
    };
    return state ? checkouts.applyReport(state, applyOrTell) : database.transaction(applyOrTell);
  }

  /**
   * Alerts operators to a reversal of an unknown payment. Once its dispute is won nothing has to be done, unless somebody
   * has taken Keys for it.
   */
  async function alertToUnknown(
    tx: Transaction,
    { paymentId, disputeId, status }: Record<string, string | number> & { paymentId: string },
    details: Record<string, string | number | null>,
  ): Promise<void> {
    const subject = disputeId === undefined ? `payment:${paymentId}` : `dispute:${disputeId}`;
    const alert = { target: paymentId, details, openUntilDealtWith: subject };
    if (status !== 'won') {
      // The end may be reported before the beginning.
      const isOver =
        disputeId !== undefined && (await store.hasUnknown(tx, `${paymentId} ${disputeId} won `));
      if (!isOver) await alertOperators(tx, { ...alert, action: 'payment.unknown-reversal' });
    } else if (await wasDealtWith(tx, { target: paymentId, subject }))
      await alertOperators(tx, { ...alert, action: 'payment.unknown-reversal-won' });
    else await endAlert(tx, subject, { by: 'service:payments', at: clock.date() });
  }

  return {
    /** @param refundedCents total amount refunded of the payment */
    learnRefund: (paymentId: string, refundedCents: number) =>
      ofPayment(paymentId, { refundedCents }, async (tx, checkout) => {
        const after = await states.learnRefund(tx, checkout, refundedCents);
        return after.refundedCents !== checkout.refundedCents;
      }),
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
        (tx, checkout) => states.learnDispute(tx, checkout, state),
      ),
  };
}

export type ReversalRules = ReturnType<typeof reversalRules>;
