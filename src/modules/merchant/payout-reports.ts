import { asUnavailable, type PaymentProvider, type PayoutState } from '../../external/payment/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type AlertOperators, endAlert, wasDealtWith } from '../../kernel/records/alerts.ts';
import { isEndedWithoutPayment, type PayoutStates } from './payout-states.ts';
import type { Payout } from './payouts.model.ts';
import type { PayoutStore } from './payouts.store.ts';

interface PayoutReportDeps
  extends Pick<Core, 'database' | 'clock'>,
    Pick<PayoutStates, 'applyProviderState'> {
  provider: PaymentProvider | undefined;
  store: PayoutStore;
  alertOperators: AlertOperators;
}

/** Payouts with other references are made by hand, or by other programs. */
const isOurs = ({ reference }: PayoutState): boolean => /^[0-9a-f]{24}$/.test(reference);

/**
 * Whether a report asks operators to move money or Keys. Reports arrive in any order, also years later when they are
 * replayed: what has changed since would have them do it in vain.
 */
function isConsequential(reported: PayoutState, payout: Payout | undefined): boolean {
  if (!payout) return reported.status === 'paid' && isOurs(reported);
  if (reported.status === 'failed') return payout.status === 'paid' || payout.status === 'overpaid';
  const isAnother = payout.providerId !== null && payout.providerId !== reported.payoutId;
  return reported.status === 'paid' && (isAnother || isEndedWithoutPayment(payout));
}

/** Returns what applies the provider's reports of payouts. */
export function payoutReports(deps: PayoutReportDeps) {
  const { provider, store, database, clock, applyProviderState, alertOperators } = deps;

  /** Returns what the provider says now of a payout whose report has consequences. */
  async function confirmed(reported: PayoutState): Promise<PayoutState> {
    const payout = await store.find(reported.reference);
    if (!isConsequential(reported, payout)) return reported;
    const now = await provider?.payout(reported.payoutId).catch(asUnavailable);
    return now ? { ...now, reference: reported.reference } : reported;
  }

  /** The alert about a payout besides the one that is known under the reference, if one is. */
  const subjectOf = ({ reference, payoutId }: PayoutState) => `payout:${reference}:${payoutId}`;

  /**
   * Tells operators of money that left for a payout that is not in the database: it was probably made after the backup that
   * was restored, so that the member has both the Keys and the money. Once the money is back nothing has to be done, unless
   * somebody has taken the Keys.
   */
  async function recordUnknown(tx: Transaction, reported: PayoutState): Promise<boolean> {
    const { payoutId, reference, status, cents, currency, reason } = reported;
    if (status === 'pending' || !isOurs(reported)) return false;
    const subject = subjectOf(reported);
    const facts = {
      target: payoutId,
      details: { payoutId, reference, cents, currency, reason },
      openUntilDealtWith: subject,
      isToldOnce: true,
    };
    if (status === 'paid') return alertOperators(tx, { ...facts, action: 'payment.unknown-payout' });
    if (await wasDealtWith(tx, { target: payoutId, subject }))
      return alertOperators(tx, { ...facts, action: 'payment.unknown-payout-returned' });
    return ended(tx, subject);
  }

  const ended = async (tx: Transaction, subject: string): Promise<boolean> =>
    (await endAlert(tx, subject, { by: 'service:payments', at: clock.date() })) !== undefined;

  /** Tells operators that a payout was paid twice, until one of them has come back. */
  async function recordAnother(tx: Transaction, payout: Payout, reported: PayoutState): Promise<boolean> {
    const { providerId, reference, userId, cents } = payout;
    const { payoutId, status } = reported;
    if (status === 'pending') return false;
    const subject = subjectOf(reported);
    if (status !== 'paid') return ended(tx, subject);
    return alertOperators(tx, {
      action: 'payment.payout-paid-twice',
      target: userId,
      details: { payoutId, otherPayoutId: providerId, reference, cents },
      openUntilDealtWith: subject,
      isToldOnce: true,
    });
  }

  /**
   * Applies a webhook. It may arrive before the response with the provider's id, but also carries the platform's
   * reference. Returns whether it was news.
   */
  return async (reported: PayoutState): Promise<boolean> => {
    const state = await confirmed(reported);
    return database.transaction(async (tx) => {
      const payout = await store.lockByReference(tx, state.reference);
      if (!payout) return recordUnknown(tx, state);
      if (payout.providerId !== null && payout.providerId !== state.payoutId)
        return recordAnother(tx, payout, state);
      if (payout.providerId === null) await store.setProviderId(tx, payout.id, state.payoutId);
      return applyProviderState(tx, payout, state);
    });
  };
}
