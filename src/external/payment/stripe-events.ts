import { isSafeText, storableText } from '../../kernel/text/safe-text.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import {
  type CheckoutState,
  type DisputeState,
  invalidEvent,
  type OpenedCheckout,
  type PaymentEvent,
  type PayoutState,
} from './port.ts';

/** Of reasons and the like. */
const MAX_NOTE_LENGTH = 500;
const MAX_LINK_LENGTH = 8_192;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

type Json = Record<string, unknown>;

/**
 * Parses a Stripe event; returns undefined for types that are not handled. A signature proves the sender, not the
 * structure, so every field is checked.
 * @throws invalidEvent
 */
export function eventOf(event: unknown): PaymentEvent | undefined {
  const { type, data } = objectOf(event);
  const name = textOf(type);
  const read = READERS.get(name);
  return read?.(objectOf(objectOf(data).object), name);
}

const READERS = mapOf<(object: Json, type: string) => PaymentEvent | undefined>({
  'checkout.session.completed': checkoutEvent,
  'checkout.session.async_payment_succeeded': checkoutEvent,
  'checkout.session.expired': checkoutEvent,
  'checkout.session.async_payment_failed': (session) => ({
    kind: 'checkout',
    checkout: { ...stateOfCheckout(session), status: 'failed' },
  }),
  'charge.refunded': (charge) => {
    const paymentId = idOf(charge.payment_intent);
    const refundedCents = centsOf(charge.amount_refunded);
    return paymentId === null ? undefined : { kind: 'refund', paymentId, refundedCents };
  },
  'refund.failed': failedRefundEvent,
  'charge.refund.updated': failedRefundEvent,
  'charge.dispute.created': disputeEvent,
  'charge.dispute.updated': disputeEvent,
  'charge.dispute.funds_withdrawn': disputeEvent,
  'charge.dispute.funds_reinstated': disputeEvent,
  'charge.dispute.closed': disputeEvent,
  'payout.paid': payoutEvent,
  'payout.failed': payoutEvent,
  'payout.canceled': payoutEvent,
});

/** The types of events that operators subscribe the webhook to. */
export const HANDLED_EVENTS: string[] = [...READERS.keys()];

function checkoutEvent(session: Json): PaymentEvent {
  return { kind: 'checkout', checkout: stateOfCheckout(session) };
}

/** Payouts without a reference are made by hand, or by other programs. */
function payoutEvent(payout: Json): PaymentEvent | undefined {
  nameOf(payout.id);
  if (referenceOf(payout) === '') return undefined;
  return { kind: 'payout', payout: stateOfPayout(payout) };
}

/** Both types say the same of a refund that fails; the second is also sent for those that succeed. */
function failedRefundEvent(refund: Json): PaymentEvent | undefined {
  const refundId = nameOf(refund.id);
  const paymentId = idOf(refund.payment_intent);
  const cents = centsOf(refund.amount);
  const status = textOf(refund.status ?? '');
  if (paymentId === null || (status !== 'failed' && status !== 'canceled')) return undefined;
  return { kind: 'failed-refund', refund: { refundId, paymentId, cents } };
}

const DISPUTE_STATUSES = mapOf<DisputeState['status']>({
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  // The inquiry is over, and no money was taken.
  warning_closed: 'won',
  prevented: 'won',
  needs_response: 'open',
  under_review: 'open',
  lost: 'lost',
  won: 'won',
});

/** For an unknown status, derives the outcome from the event type: money was withdrawn or reinstated. */
function disputeEvent(dispute: Json, type: string): PaymentEvent | undefined {
  const impliedStatus = type === 'charge.dispute.funds_reinstated' ? 'won' : 'open';
  const { paymentId, ...state } = readDispute(dispute, impliedStatus);
  return paymentId === null ? undefined : { kind: 'dispute', dispute: { ...state, paymentId } };
}

function readDispute(dispute: Json, impliedStatus: DisputeState['status']) {
  return {
    disputeId: nameOf(dispute.id),
    paymentId: idOf(dispute.payment_intent),
    cents: centsOf(dispute.amount),
    status: DISPUTE_STATUSES.get(textOf(dispute.status ?? '')) ?? impliedStatus,
    reason: noteOf(dispute.reason ?? ''),
  };
}

/** Returns a dispute of a list of those of one payment. @throws invalidEvent, also for one of another payment */
export function stateOfDispute(dispute: object, paymentId: string): DisputeState {
  const state = readDispute(dispute as Json, 'open');
  if (state.paymentId !== paymentId) throw invalidEvent();
  return { ...state, paymentId };
}

/** Returns what was refunded of a payment whose charge is expanded. @throws invalidEvent */
export function refundedCentsOf(payment: object): number {
  const { latest_charge: charge } = payment as Json;
  return charge === null ? 0 : centsOf(objectOf(charge).amount_refunded);
}

/** Returns a session that was made. @throws invalidEvent, also without a link that a payer can be sent to */
export function openedCheckoutOf(session: object): OpenedCheckout {
  const { id, url, expires_at: end } = session as Json;
  const link = textOf(url);
  if (link.length > MAX_LINK_LENGTH || !/^https?:\/\//i.test(link) || !URL.canParse(link))
    throw invalidEvent();
  if (!Number.isSafeInteger(end) || (end as number) <= 0 || (end as number) > MAX_SECONDS)
    throw invalidEvent();
  return { sessionId: nameOf(id), url: link, expiresAt: new Date((end as number) * SECOND_MS) };
}

/** @throws invalidEvent, also for malformed responses of Stripe's API */
export function stateOfCheckout(session: object): CheckoutState {
  const { id, status, payment_status: payment, amount_total: amount, currency, ...rest } = session as Json;
  const isPaid = status === 'complete' && payment === 'paid';
  return {
    sessionId: nameOf(id),
    status: isPaid ? 'paid' : status === 'expired' ? 'expired' : 'open',
    cents: centsOf(amount ?? 0),
    currency: noteOf(currency ?? ''),
    paymentId: idOf(rest.payment_intent),
    reference: typeof rest.client_reference_id === 'string' ? noteOf(rest.client_reference_id) : null,
  };
}

const PAYOUT_STATUSES = mapOf<PayoutState['status']>({
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
});

/** Returns our reference; what cannot be stored is none of ours. */
function referenceOf({ metadata }: Json): string {
  const reference = textOf(objectOf(metadata ?? {}).reference ?? '');
  return isSafeText(reference) ? reference : '';
}

/** @throws invalidEvent */
export function stateOfPayout(payout: object): PayoutState {
  const { id, status, amount, currency, failure_message: reason } = payout as Json;
  return {
    payoutId: nameOf(id),
    reference: referenceOf(payout as Json),
    cents: centsOf(amount),
    currency: noteOf(currency),
    status: PAYOUT_STATUSES.get(textOf(status ?? '')) ?? 'pending',
    reason: reason === undefined || reason === null ? null : noteOf(reason),
  };
}

function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidEvent();
  return value as Json;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw invalidEvent();
  return value;
}

/** Returns a text that is kept for people, as it can be stored. */
const noteOf = (value: unknown): string => storableText(textOf(value), MAX_NOTE_LENGTH);

/** Returns a Stripe id, after checking that it has at most 255 characters, and can be stored. */
function nameOf(value: unknown): string {
  const name = textOf(value);
  if (name === '' || name.length > 255 || !isSafeText(name)) throw invalidEvent();
  return name;
}

function centsOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalidEvent();
  return value as number;
}

/** Returns the id of a reference, which Stripe sends as an id or, when expanded, as the whole object. */
function idOf(reference: unknown): string | null {
  if (reference === undefined || reference === null) return null;
  return typeof reference === 'string' ? nameOf(reference) : nameOf(objectOf(reference).id);
}

/** A Map rather than a plain object, because an event may name its type `constructor`. */
function mapOf<T>(entries: Record<string, T>): Map<string, T> {
  return new Map(Object.entries(entries));
}
