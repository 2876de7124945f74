import type Stripe from 'stripe';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import { type CircuitBoard, circuitBreaker } from '../../kernel/net/circuit-breaker.ts';
import { fetchBounded } from '../../kernel/net/outbound.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../kernel/time/time.ts';
import {
  invalidSignature,
  type NewCheckout,
  type PaymentProvider,
  PaymentRefused,
  type PayoutState,
  paymentUnavailable,
} from './port.ts';
import { eventOf, stateOfCheckout, stateOfPayout } from './stripe-events.ts';

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
const CURRENCY = 'usd';
/** Stripe's limits for a charge in US dollars. */
const LIMITS = { min: 50, max: 99_999_999 };
/** Stripe documents no limit for payouts. This one is ours: a larger amount indicates a wrong rate or amount. */
const MAX_PAYOUT_CENTS = 999_999_999_999;
/** Payouts on one page of the list, and the most that are looked through for one of ours. */
const PAGE = 100;
const MAX_LISTED = 10_000;
/** What was made under a key that Stripe still keeps, which it does for a day at least, was made within this time. */
const KEPT_KEYS_MS = 2 * DAY_MS;
/** Of the reason of a refusal, which is stored. */
const MAX_REASON_LENGTH = 500;

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
   * unknown.
   */
  async function callStripe<T>(call: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await library();
    const outcome = await guarded<{ answer: T } | { refusal: Error }>(async () => {
      try {
        return { answer: await call(stripe) };
      } catch (error) {
        if (isRefusal(error) || isKeyReused(error)) return { refusal: error as Error };
        throw Object.assign(paymentUnavailable(), { cause: error });
      }
    });
    if (!('refusal' in outcome)) return outcome.answer;
    const { refusal } = outcome;
    if (isKeyReused(refusal)) throw Object.assign(paymentUnavailable(), { cause: refusal });
    throw new PaymentRefused(storableText(refusal.message, MAX_REASON_LENGTH), { cause: refusal });
  }

  /** Makes a call for an object that may not exist; returns undefined for a 404. */
  async function find<T>(call: (stripe: Stripe) => Promise<T>): Promise<T | undefined> {
    try {
      return await callStripe(call);
    } catch (error) {
      if (error instanceof PaymentRefused && (error.cause as { statusCode?: number }).statusCode === 404)
        return undefined;
      throw error;
    }
  }

  return {
    limits: LIMITS,
    maxPayoutCents: MAX_PAYOUT_CENTS,

    async openCheckout(checkout) {
      // A session lasts 24 hours by default.
      const session = await callStripe(async (stripe) => {
        const made = await stripe.checkout.sessions.create(sessionOf(checkout), {
          idempotencyKey: checkout.idempotencyKey,
        });
        const { cents, reference } = checkout;
        const ordered = { amount_total: cents, currency: CURRENCY, client_reference_id: reference };
        return asOrdered({ object: 'checkout.session', ...ordered }, made);
      });
      if (!session.url || !session.expires_at) throw paymentUnavailable();
      return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
    },

    async checkout(sessionId) {
      return find(async (stripe) =>
        stateOfCheckout(withId(sessionId, await stripe.checkout.sessions.retrieve(sessionId))),
      );
    },

    async checkoutOfPayment(paymentId) {
      return callStripe(async (stripe) => {
        const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 });
        return data[0] && stateOfCheckout(data[0]);
      });
    },

    async createPayout({ idempotencyKey, cents, reference }) {
      const payout = { amount: cents, currency: CURRENCY, metadata: { reference } };
      const create = async (stripe: Stripe) => {
        const made = await stripe.payouts.create(payout, { idempotencyKey });
        const { reference: named } = made.metadata ?? {};
        asOrdered(
          { object: 'payout', amount: cents, currency: CURRENCY, named: reference },
          { ...made, named },
        );
        return stateOfPayout(made);
      };
      try {
        return await callStripe(create);
      } catch (error) {
        if (!isKeyReused((error as Error).cause)) throw error;
        const since = new Date(clock.now() - KEPT_KEYS_MS);
        const { found } = await callStripe((stripe) => payoutOf(stripe, reference, since));
        // The key was used with other details, so what was made may not be what was ordered. That is no outage.
        if (!found || !isOrdered(payout, found.made)) throw error;
        return found.state;
      }
    },

    async payout(payoutId) {
      return find(async (stripe) => stateOfPayout(withId(payoutId, await stripe.payouts.retrieve(payoutId))));
    },

    async payoutOf(reference, since) {
      const { found, isWhole } = await callStripe((stripe) => payoutOf(stripe, reference, since));
      // Outside of the call, since it is no outage.
      if (!found && !isWhole)
        throw new PaymentRefused(`there are over ${MAX_LISTED} payouts to look through`);
      return found?.state;
    },

    async cancelPayout(payoutId) {
      try {
        return await callStripe(async (stripe) =>
          stateOfPayout(withId(payoutId, await stripe.payouts.cancel(payoutId))),
        );
      } catch (error) {
        if (!(error instanceof PaymentRefused)) throw error;
        const state = await find(async (stripe) =>
          stateOfPayout(withId(payoutId, await stripe.payouts.retrieve(payoutId))),
        );
        // Stripe created this payout, so a 404 says nothing about the money.
        if (!state) throw Object.assign(paymentUnavailable(), { cause: error });
        return state;
      }
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

/** Which of several payouts with one reference counts: one that was made twice may have been paid once. */
const PRECEDENCE: PayoutState['status'][] = ['paid', 'pending', 'failed', 'cancelled'];

interface FoundPayout {
  made: Stripe.Payout;
  state: PayoutState;
}

async function payoutOf(
  stripe: Stripe,
  reference: string,
  since: Date,
): Promise<{ found: FoundPayout | undefined; isWhole: boolean }> {
  const found: FoundPayout[] = [];
  let count = 0;
  const made = { created: { gte: Math.floor(since.getTime() / SECOND_MS) }, limit: PAGE };
  for await (const payout of stripe.payouts.list(made)) {
    if (payout.metadata?.reference === reference) found.push({ made: payout, state: stateOfPayout(payout) });
    if (++count === MAX_LISTED) break;
  }
  const [first] = found.sort(
    (a, b) => PRECEDENCE.indexOf(a.state.status) - PRECEDENCE.indexOf(b.state.status),
  );
  return { found: first, isWhole: count < MAX_LISTED };
}

/** Returns the object if it has the requested id; any other would settle the wrong payment. */
function withId<T extends { id: string }>(id: string, found: T): T {
  if (found.id !== id) throw new Error(`the provider returned ${found.id} instead of ${id}`);
  return found;
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

/** Returns what was made if it has all that was ordered; anything else would be taken for the payment. */
function asOrdered<T extends object>(ordered: Record<string, unknown>, made: T): T {
  for (const [name, value] of Object.entries(ordered)) {
    const answered = (made as Record<string, unknown>)[name];
    if (answered !== value)
      throw new Error(
        `the provider answered with the ${name} ${JSON.stringify(answered)} instead of ${value}`,
      );
  }
  return made;
}

/** Whether a payout that was found by its reference has the amount and currency that were ordered. */
const isOrdered = (
  ordered: Pick<Stripe.Payout, 'amount' | 'currency'>,
  made: Pick<Stripe.Payout, 'amount' | 'currency'>,
): boolean => made.amount === ordered.amount && made.currency === ordered.currency;

/**
 * Whether Stripe rejected this particular request, as opposed to errors of our key, the rate limit or Stripe's
 * availability.
 */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && REFUSALS.has((error as { type?: string }).type ?? '');
const REFUSALS = new Set(['StripeInvalidRequestError', 'StripeCardError']);

/** Whether the idempotency key was used for a request with other details, as by a former release. */
const isKeyReused = (error: unknown): boolean =>
  error instanceof Error && (error as { type?: string }).type === 'StripeIdempotencyError';

function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname,
    ...(port ? { port } : {}),
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
}
