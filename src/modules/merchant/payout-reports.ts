import type { PaymentProvider, PayoutState } from '../../external/payment/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { AlertOperators } from '../../kernel/records/alerts.ts';
import { isEndedWithoutPayment, type PayoutStates } from './payout-states.ts';
import type { PayoutStore } from './payouts.store.ts';

interface PayoutReportDeps extends Pick<Core, 'database'>, Pick<PayoutStates, 'applyProviderState'> {
  provider: PaymentProvider | undefined;
  store: PayoutStore;
  alertOperators: AlertOperators;
}

/** Returns what applies the provider's reports of payouts. */
export function payoutReports(deps: PayoutReportDeps) {
  const { provider, store, database, applyProviderState, alertOperators } = deps;

  /**
   * Returns what the provider says now of a payout that is reported as paid after it had ended without its money: reports
   * arrive in any order, and operators would take back Keys for money that never left.
   */
  async function confirmed(reported: PayoutState): Promise<PayoutState> {
    if (reported.status !== 'paid') return reported;
    const payout = await store.find(reported.reference);
    if (!payout || !isEndedWithoutPayment(payout)) return reported;
    const now = await provider?.payout(reported.payoutId);
    return now ? { ...now, reference: reported.reference } : reported;
  }

  /**
   * Tells operators of money that left for a payout that is not in the database: it was probably made after the backup that
   * was restored, so that the member has both the Keys and the money.
   */
  async function recordUnknown(tx: Transaction, reported: PayoutState): Promise<void> {
    const { payoutId, reference, status, cents, currency } = reported;
    // Payouts with other references are made by hand, or by other programs.
    if (status !== 'paid' || !/^[0-9a-f]{24}$/.test(reference)) return;
    await alertOperators(tx, {
      action: 'payment.unknown-payout',
      target: payoutId,
      details: { payoutId, reference, cents, currency },
      openUntilDealtWith: `payout:${reference}:${payoutId}`,
      isToldOnce: true,
    });
  }

  /**
   * Applies a webhook. It may arrive before the response with the provider's id, but also carries the platform's
   * reference.
   */
  return async (reported: PayoutState): Promise<void> => {
    const state = await confirmed(reported);
    await database.transaction(async (tx) => {
      const payout = await store.lockByReference(tx, state.reference);
      if (!payout) return recordUnknown(tx, state);
      const { providerId, reference, userId, cents } = payout;
      if (providerId !== null && providerId !== state.payoutId) {
        if (state.status === 'paid')
          await alertOperators(tx, {
            action: 'payment.payout-paid-twice',
            target: userId,
            details: { payoutId: state.payoutId, otherPayoutId: providerId, reference, cents },
            openUntilDealtWith: `payout:${reference}:${state.payoutId}`,
            isToldOnce: true,
          });
        return;
      }
      if (providerId === null) await store.setProviderId(tx, payout.id, state.payoutId);
      await applyProviderState(tx, payout, state);
    });
  };
}
