import Stripe from 'stripe';
import { type CircuitBoard, circuit } from '../../kernel/circuit.ts';
import type { Clock } from '../../kernel/time.ts';
import {
  type CheckoutState,
  invalidSignature,
  type PaymentEvent,
  type PaymentProvider,
  PaymentRefused,
  type PayoutState,
  paymentUnavailable,
} from './port.ts';

interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own: the sandbox, which speaks its protocol. */
  apiUrl?: string;
  clock: Clock;
  board?: CircuitBoard;
}

/** Two attempts of at most so long: an answer comes within six seconds. */
const TIMEOUT_MS = 2_500;
const ATTEMPTS_AFTER_THE_FIRST = 1;
const CURRENCY = 'usd';
/** What Stripe takes for a charge in US dollars. */
const LIMITS = { least: 50, most: 99_999_999 };

/** Stripe by its own library: Checkout Sessions, payouts, signed webhooks. The sandbox's provider is the same, at another address. */
export function stripePayments({
  secretKey,
  webhookSecret,
  apiUrl,
  clock,
  board,
}: StripeOptions): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    ...(apiUrl ? addressOf(apiUrl) : {}),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: ATTEMPTS_AFTER_THE_FIRST,
    telemetry: false,
  });
  const guarded = circuit(clock, paymentUnavailable, { system: 'payments', board });

  /** Turns what the library throws into what the port promises. A refusal is an answer: it does not open the circuit. */
  async function ask<T>(call: () => Promise<T>): Promise<T> {
    const outcome = await guarded<{ answer: T } | { refusal: Error }>(async () => {
      try {
        return { answer: await call() };
      } catch (error) {
        if (isRefusal(error)) return { refusal: error };
        throw Object.assign(paymentUnavailable(), { cause: error });
      }
    });
    if ('refusal' in outcome) throw new PaymentRefused(outcome.refusal.message, { cause: outcome.refusal });
    return outcome.answer;
  }

  /** The same, of something that may not be there. */
  async function find<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask(call);
    } catch (error) {
      if (error instanceof PaymentRefused && (error.cause as { statusCode?: number }).statusCode === 404)
        return undefined;
      throw error;
    }
  }

  return {
    limits: LIMITS,

    async openCheckout({ idempotencyKey, description, cents, successUrl, cancelUrl, reference }) {
      // A session lasts for 24 hours unless one says otherwise.
      const session = await ask(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            line_items: [
              {
                quantity: 1,
                price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name: description } },
              },
            ],
            success_url: successUrl,
            cancel_url: cancelUrl,
            client_reference_id: reference,
            metadata: { reference },
            payment_intent_data: { metadata: { reference } },
          },
          { idempotencyKey },
        ),
      );
      if (!session.url || !session.expires_at) throw paymentUnavailable();
      return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) };
    },

    async checkout(sessionId) {
      const session = await find(() => stripe.checkout.sessions.retrieve(sessionId));
      return session && stateOfCheckout(session);
    },

    async checkoutOfPayment(paymentId) {
      const found = await ask(() => stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 }));
      return found.data[0] && stateOfCheckout(found.data[0]);
    },

    async createPayout({ idempotencyKey, cents, reference }) {
      return stateOfPayout(
        await ask(() =>
          stripe.payouts.create(
            { amount: cents, currency: CURRENCY, metadata: { reference } },
            { idempotencyKey },
          ),
        ),
      );
    },

    async payout(payoutId) {
      const payout = await find(() => stripe.payouts.retrieve(payoutId));
      return payout && stateOfPayout(payout);
    },

    async cancelPayout(payoutId) {
      try {
        return stateOfPayout(await ask(() => stripe.payouts.cancel(payoutId)));
      } catch (error) {
        if (!(error instanceof PaymentRefused)) throw error;
        return stateOfPayout(await ask(() => stripe.payouts.retrieve(payoutId)));
      }
    },

    readEvent(body, signature) {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret);
      } catch {
        throw invalidSignature();
      }
      return toEvent(event);
    },
  };
}

/** An answer that says no to this very request; not one about our key, our pace or their health. */
function isRefusal(error: unknown): error is Error {
  const { StripeInvalidRequestError, StripeCardError, StripeIdempotencyError } = Stripe.errors;
  return (
    error instanceof StripeInvalidRequestError ||
    error instanceof StripeCardError ||
    error instanceof StripeIdempotencyError
  );
}

function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname,
    ...(port ? { port } : {}),
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
  };
}

function toEvent(event: Stripe.Event): PaymentEvent | undefined {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return { kind: 'checkout', checkout: stateOfCheckout(event.data.object) };
    case 'checkout.session.async_payment_failed':
      return { kind: 'checkout', checkout: { ...stateOfCheckout(event.data.object), status: 'failed' } };
    case 'charge.refunded': {
      const { payment_intent: payment, amount_refunded: refundedCents } = event.data.object;
      const paymentId = idOf(payment);
      return paymentId === null ? undefined : { kind: 'refund', paymentId, refundedCents };
    }
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
      return { kind: 'payout', payout: stateOfPayout(event.data.object) };
    default:
      return undefined;
  }
}

function stateOfCheckout(session: Stripe.Checkout.Session): CheckoutState {
  const isPaid = session.status === 'complete' && session.payment_status === 'paid';
  return {
    sessionId: session.id,
    status: isPaid ? 'paid' : session.status === 'expired' ? 'expired' : 'open',
    cents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    paymentId: idOf(session.payment_intent),
  };
}

const PAYOUT_STATUSES: Record<string, PayoutState['status']> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
};

const stateOfPayout = ({ id, status, metadata, failure_message: reason }: Stripe.Payout): PayoutState => ({
  payoutId: id,
  reference: metadata?.reference ?? '',
  status: PAYOUT_STATUSES[status] ?? 'pending',
  reason: reason ?? null,
});

/** Stripe names what it refers to, or, where it was asked to, has it stand there whole. */
const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
