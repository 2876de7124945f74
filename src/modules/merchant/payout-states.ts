import { CURRENCY, type PayoutState } from '../../external/payment/port.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { type AlertOperators, endAlert, openAlertOf } from '../../kernel/records/alerts.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { endStuck } from './attempts.ts';
import { type PayoutDecision, type PayoutOutcome, payoutReturned, payoutSettled } from './contract.ts';
import type { Payout } from './payouts.model.ts';
import type { PayoutStore } from './payouts.store.ts';

interface PayoutStateDeps {
  store: PayoutStore;
  events: Events;
  clock: Clock;
  alertOperators: AlertOperators;
}

interface Ending {
  outcome: PayoutOutcome;
  reason: string;
  /** The decision that ended the payout; undefined if there was none. */
  decision?: { id: string | null; details: Record<string, unknown> | null };
}

const OPEN = ['queued', 'submitting', 'submitted'];
export const isOpen = ({ status }: Payout): boolean => OPEN.includes(status);
/** Whether it ended by a decision, or because the provider reported that it was not paid. */
export const isEndedWithoutPayment = ({ status, decisionId }: Payout): boolean =>
  status === 'failed' || status === 'cancelled' || (status === 'paid' && decisionId !== null);

const isAsOrdered = ({ cents }: Payout, state: PayoutState): boolean =>
  state.cents === cents && state.currency === CURRENCY;

/** The state transitions of payouts; each happens once and publishes its event. */
export function payoutStates({ store, events, clock, alertOperators }: PayoutStateDeps) {
  async function settle(
    tx: Transaction,
    payout: Payout,
    { outcome, reason, decision }: Ending,
  ): Promise<true> {
    const at = new Date(clock.now());
    await store.settle(tx, payout.id, { outcome, reason, at, decisionId: decision?.id ?? null });
    await endStuck(tx, 'payout', payout, at);
    if (payout.mispaid) await endAlert(tx, `payout:${payout.reference}`, { by: 'service:payments', at });
    const eventData = { reference: payout.reference, outcome, reason, decision: decision?.details ?? null };
    await events.publish(tx, payoutSettled, eventData);
    return true;
  }

  /** Records that the bank returned a paid payout. */
  async function takeReturned(
    tx: Transaction,
    { id, reference, userId, cents, providerId }: Payout,
    why: string,
  ) {
    await store.setStatus(tx, id, 'returned');
    await events.publish(tx, payoutReturned, { reference, userId, reason: why });
    return alertOperators(tx, {
      action: 'payment.payout-returned',
      target: userId,
      details: { payoutId: providerId, reference, cents, reason: why },
      openUntilDealtWith: `payout:${reference}`,
    });
  }

  /** Records that the provider paid a payout that had already ended otherwise: it may have been paid twice. */
  async function takeOverpaid(tx: Transaction, payout: Payout) {
    const { id, reference, userId, cents, providerId, status, reason } = payout;
    await store.setStatus(tx, id, 'overpaid');
    return alertOperators(tx, {
      action: 'payment.payout-paid-after-end',
      target: userId,
      details: { payoutId: providerId, reference, cents, endedAs: status, reason },
      openUntilDealtWith: `payout:${reference}`,
    });
  }

  /**
   * Leaves a payout open that was paid with another amount than was ordered: nobody but a person knows what the member is
   * still owed, and whether the Keys go back. They settle it, without the provider, which has nothing to cancel any more;
   * until then they have an open alert, which each report opens again.
   */
  async function takeMispaid(tx: Transaction, payout: Payout, { cents: paidCents, currency }: PayoutState) {
    const { id, reference, userId, cents, providerId } = payout;
    const subject = `payout:${reference}`;
    const isKnown = payout.paidCents === paidCents && payout.paidCurrency === currency;
    if (isKnown && (await openAlertOf(tx, subject))) return false;
    if (!isKnown) await store.setMispaid(tx, id, { cents: paidCents, currency });
    return alertOperators(tx, {
      action: 'payment.payout-amount-mismatch',
      target: userId,
      details: { payoutId: providerId, reference, expectedCents: cents, paidCents, currency },
      openUntilDealtWith: subject,
    });
  }

  /** Tells operators that money has come back of which only they know what they have done about it. */
  async function takeBack(
    tx: Transaction,
    { reference, userId, providerId }: Payout,
    action: 'payment.overpaid-returned' | 'payment.mispaid-returned',
    { cents, reason }: PayoutState,
  ) {
    return alertOperators(tx, {
      action,
      target: userId,
      details: { payoutId: providerId, reference, cents, reason: reason ?? '' },
      openUntilDealtWith: `payout:${reference}`,
      isToldOnce: true,
    });
  }

  async function applyToEnded(tx: Transaction, payout: Payout, state: PayoutState): Promise<boolean> {
    const { status, decisionId, mispaid } = payout;
    if (state.status === 'failed') {
      if (status === 'overpaid') return takeBack(tx, payout, 'payment.overpaid-returned', state);
      if (status !== 'paid') return false;
      if (decisionId === null) return takeReturned(tx, payout, state.reason ?? '');
      // Any other payout that ended by decision was cancelled at the provider or never submitted, so that a later failure
      // concerns no money.
      if (mispaid) return takeBack(tx, payout, 'payment.mispaid-returned', state);
    }
    // Who settled a payout of another amount knew of that amount, and of no other.
    if (state.status === 'paid' && isEndedWithoutPayment(payout) && (!mispaid || isAsOrdered(payout, state)))
      return takeOverpaid(tx, payout);
    return false;
  }

  /**
   * Applies a state reported by the provider. If a decision requested the cancellation, the decision determines the
   * outcome. Returns whether the state is news.
   */
  async function applyProviderState(tx: Transaction, payout: Payout, state: PayoutState): Promise<boolean> {
    if (!isOpen(payout)) return applyToEnded(tx, payout, state);
    if (state.status === 'pending') return false;
    if (state.status === 'paid' && !isAsOrdered(payout, state)) return takeMispaid(tx, payout, state);
    const { ending, decisionId, decision } = payout;
    if (state.status !== 'cancelled' || ending === null)
      return settle(tx, payout, { outcome: state.status, reason: state.reason ?? '' });
    const decided = { id: decisionId, details: decision };
    return settle(tx, payout, { outcome: ending, reason: payout.reason ?? '', decision: decided });
  }

  /**
   * Ends a payout that the provider does not know although it once named it, unless that has changed meanwhile. Nothing
   * follows from that about the money; so only operators decide it, who can look at the provider, and the reason is told.
   */
  async function endUnknown(tx: Transaction, payout: Payout, decision: PayoutDecision): Promise<void> {
    const { id, outcome, reason, details } = decision;
    if (!isOpen(payout) || payout.decisionId !== id) return;
    const decided = { id, details: { ...details, unknownToProvider: true } };
    await settle(tx, payout, { outcome, reason, decision: decided });
  }

  return { settle, applyProviderState, endUnknown };
}

export type PayoutStates = ReturnType<typeof payoutStates>;
