import type Stripe from 'stripe';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import { type CircuitBoard, circuitBreaker } from '../../kernel/net/circuit-breaker.ts';
import { fetchBounded } from '../../kernel/net/outbound.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import {
  CURRENCY,
  invalidEvent,
  invalidSignature,
  type NewCheckout,
  type PastEvents,
  type PaymentProvider,
  PaymentRefused,
  paymentUnavailable,
  UnreadableAnswer,
} from './port.ts';
import {
  eventOf,
  HANDLED_EVENTS,
  openedCheckoutOf,
  refundedCentsOf,
  stateOfCheckout,
  stateOfDispute,
} from './stripe-events.ts';
import { asOrdered, isKeyReused, PAGE, withId } from './stripe-objects.ts';
import { stripePayouts } from './stripe-payouts.ts';

interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** An alternative base URL: the sandbox, which implements Stripe's protocol. */
  apiUrl?: string;
  clock: Clock;
  board?: CircuitBoard;
}

/** Two attempts with this timeout each keep the total within six seconds. */
const TIMEOUT_MS = 2_500;
const MAX_RETRIES = 1;
/** Stripe's limits for a charge in US dollars. */
const LIMITS = { min: 50, max: 99_999_999 };
/** The most events that are read at once, oldest first. */
const MAX_EVENTS = 100_000;
/** Of the reason of a refusal, which is stored. */
const MAX_REASON_LENGTH = 500;
/** Of what is told of an event that cannot be read. */
const MAX_NAME_LENGTH = 255;

/**
 * Implements the payment provider with Stripe's library: Checkout Sessions, payouts, signed webhooks. Also serves the
 * sandbox's provider, at another address.
 */
export function stripePayments({
  secretKey,
  webhookSecret,
  apiUrl,
  clock,
  board,
}: StripeOptions): PaymentProvider {
  // Loading the library takes long; loading it on first use keeps the start fast.
  const library = lazy(async () => {
    const { Stripe } = await import('stripe');
    return new Stripe(secretKey, {
      ...(apiUrl ? addressOf(apiUrl) : {}),
      // The library's own client would buffer a response of unlimited length.
      httpClient: Stripe.createFetchHttpClient(fetchBounded as typeof fetch),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: MAX_RETRIES,
      telemetry: false,
    });
  });
  const guarded = circuitBreaker(clock, paymentUnavailable, { system: 'payments', board });

  /**
   * Translates the library's errors into those of the port. A rejection is a valid response and does not open the
   * circuit. Neither does a key that was used for another request, which proves that there was one: what became of it is
   * unknown. Nor does an answer about one object that cannot be read: calls about others go on.
   */
  async function callStripe<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await library();
    const outcome = await guarded<{ answer: T } | { refusal: Error }>(async () => {
      try {
        return { answer: await call(stripe) };
      } catch (error) {
        if (isRefusal(error) || isUnclear(error)) return { refusal: error as Error };
        throw Object.assign(paymentUnavailable(), { cause: error });
      }
    });
    if (!('refusal' in outcome)) return outcome.answer;
    const { refusal } = outcome;
    if (isUnclear(refusal)) {
      const cause = invalidEvent.is(refusal) ? new UnreadableAnswer(UNREADABLE, { cause: refusal }) : refusal;
      throw Object.assign(paymentUnavailable(), { cause });
    }
    throw new PaymentRefused(storableText(refusal.message, MAX_REASON_LENGTH), { cause: refusal });
  }

  /** Makes a call for an object that may not exist; returns undefined for one that does not. */
  async function find<T>(call: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
    try {
      return await callStripe(call);
    } catch (error) {
      if (error instanceof PaymentRefused && isMissing(error.cause)) return undefined;
      throw error;
    }
  }

  return {
    limits: LIMITS,
    ...stripePayouts({ callStripe, find, clock }),

    async openCheckout(checkout) {
      // A session lasts 24 hours by default.
      return callStripe(async (stripe) => {
        const made = await stripe.checkout.sessions.create(sessionOf(checkout), {
          idempotencyKey: checkout.idempotencyKey,
        });
        const { cents, reference } = checkout;
        const ordered = { amount_total: cents, currency: CURRENCY, client_reference_id: reference };
        return openedCheckoutOf(asOrdered({ object: 'checkout.session', ...ordered }, made));
      });
    },

    async checkout(sessionId) {
      return find(async (stripe) =>
        stateOfCheckout(withId(sessionId, await stripe.checkout.sessions.retrieve(sessionId))),
      );
    },

    async reversalsOf(paymentId) {
      return callStripe(async (stripe) => {
        const withCharge = { expand: ['latest_charge'] };
        const payment = withId(paymentId, await stripe.paymentIntents.retrieve(paymentId, withCharge));
        const { data } = await stripe.disputes.list({ payment_intent: paymentId, limit: PAGE });
        const disputes = data.map((dispute) => stateOfDispute(dispute, paymentId));
        return { refundedCents: refundedCentsOf(payment), disputes };
      });
    },

    async checkoutOfPayment(paymentId) {
      return callStripe(async (stripe) => {
        const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 });
        return data[0] && stateOfCheckout(data[0]);
      });
    },

    async eventsSince(since) {
      const { events, unreadable, isWhole } = await callStripe(async (stripe) => {
        const created = { gte: Math.floor(since.getTime() / SECOND_MS) };
        const past: PastEvents = { events: [], unreadable: [] };
        for await (const event of stripe.events.list({ created, types: HANDLED_EVENTS, limit: PAGE })) {
          if (past.events.length + past.unreadable.length === MAX_EVENTS) return { ...past, isWhole: false };
          addTo(past, event);
        }
        return { ...past, isWhole: true };
      });
      if (!isWhole) throw new PaymentRefused(`there are over ${MAX_EVENTS} events`);
      return { events: events.reverse(), unreadable };
    },

    async readEvent(body, signature) {
      const { webhooks } = await library();
      let event: unknown;
      try {
        // The declared type promises an event, but only the signature and the JSON syntax are checked.
        event = webhooks.constructEvent(body, signature, webhookSecret);
      } catch {
        throw invalidSignature();
      }
      return eventOf(event);
    },
  };
}

/** Adds an event of a list to those of its kind; one that cannot be read is no reason to go without the others. */
function addTo({ events, unreadable }: PastEvents, event: Stripe.Event): void {
  try {
    const read = eventOf(event);
    if (read) events.push(read);
  } catch (error) {
    if (!invalidEvent.is(error)) throw error;
    const [id, type] = [event.id, event.type].map((text) => storableText(String(text), MAX_NAME_LENGTH));
    unreadable.push({ id: id as string, type: type as string });
  }
}

const sessionOf = (checkout: NewCheckout): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: CURRENCY,
        unit_amount: checkout.cents,
        product_data: { name: checkout.description },
      },
    },
  ],
  success_url: checkout.successUrl,
  cancel_url: checkout.cancelUrl,
  client_reference_id: checkout.reference,
  metadata: { reference: checkout.reference },
  payment_intent_data: { metadata: { reference: checkout.reference } },
});

/**
 * Whether Stripe rejected this particular request, as opposed to errors of our key, the rate limit or Stripe's
 * availability.
 */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && REFUSALS.has((error as { type?: string }).type ?? '');
const REFUSALS = new Set(['StripeInvalidRequestError', 'StripeCardError']);

/** Whether Stripe has answered, and what became of the object is still unknown. */
const isUnclear = (error: unknown): boolean =>
  isKeyReused(error) || error instanceof UnreadableAnswer || invalidEvent.is(error);
const UNREADABLE = 'the provider answered with an object that cannot be read';

/** Whether Stripe does not know the object, as opposed to an address that does not exist there. */
const isMissing = (error: unknown): boolean => {
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  return statusCode === 404 && code === 'resource_missing';
};

function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname,
    ...(port ? { port } : {}),
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
}
