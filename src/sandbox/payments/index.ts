import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { checkoutPage, closedPage, returnPage } from './page.ts';
import { type Payout, paymentState, type Session } from './state.ts';
import { webhookDelivery } from './webhooks.ts';

type Mode = 'ok' | 'fail' | 'hang' | 'nonsense';
type Form = Record<string, string>;

interface PaymentOptions {
  secretKey: string;
  webhookSecret: string;
  /** Seconds after which a payout settles by itself. */
  payoutDelay: number;
  /** Where it remembers; in memory without. */
  stateFile?: string;
  onStep?: (step: string) => void;
  /** Where it can be reached, once it listens. */
  ownUrl: () => string;
}

interface Control {
  mode?: Mode;
  /** Whether webhooks are sent. */
  webhooks?: boolean;
  /** Milliseconds before the first repetition of a webhook. */
  webhookPause?: number;
  /** How payouts end, or that they do not. */
  payouts?: 'paid' | 'failed' | 'hold';
  payoutDelay?: number;
}

const HANG_MS = 60_000;
const DAY_S = 24 * 3600;
const SWEEP_MS = 30_000;

const newId = (prefix: string): string => `${prefix}_sandbox_${randomBytes(12).toString('hex')}`;
const now = (): number => Math.floor(Date.now() / 1000);

/**
 * A payment provider that speaks Stripe's protocol: Checkout Sessions with a hosted page, payouts, signed webhooks. It
 * can be told (`POST /control/payments`) to fail, hang, answer nonsense, or keep its webhooks to itself.
 */
export function addPayments(app: FastifyInstance, options: PaymentOptions) {
  const { state, save } = paymentState(options.stateFile);
  const step = options.onStep ?? (() => undefined);
  const webhooks = webhookDelivery({ state, save, secret: options.webhookSecret, newId, step });
  const timers = new Set<NodeJS.Timeout>();
  let mode: Mode = 'ok';
  let payoutsEnd: 'paid' | 'failed' | 'hold' = 'paid';
  let payoutDelay = options.payoutDelay;
  const asked = { checkouts: 0, payouts: 0, all: 0 };

  const sessionView = ({ description: _, amount_refunded: __, ...session }: Session) => ({
    ...session,
    object: 'checkout.session',
    mode: 'payment',
    livemode: false,
  });
  const payoutView = (payout: Payout) => ({ ...payout, object: 'payout', livemode: false });
  const error = (reply: FastifyReply, status: number, message: string, type = 'invalid_request_error') =>
    reply.code(status).send({ error: { type, message } });

  async function endPayout(payout: Payout): Promise<void> {
    if (payout.status !== 'pending' || payoutsEnd === 'hold') return;
    payout.status = payoutsEnd;
    if (payoutsEnd === 'failed') payout.failure_message = 'The bank refused it';
    save();
    await webhooks.send(`payout.${payout.status}`, payoutView(payout));
  }
  function schedule(payout: Payout): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void endPayout(payout);
      },
      Math.max(0, payout.created + payoutDelay - Date.now() / 1000) * 1000,
    );
    timers.add(timer);
  }
  const scheduleAll = (): void => {
    for (const payout of Object.values(state.payouts)) if (payout.status === 'pending') schedule(payout);
  };
  scheduleAll();

  async function expire(session: Session): Promise<void> {
    if (session.status !== 'open') return;
    session.status = 'expired';
    save();
    await webhooks.send('checkout.session.expired', sessionView(session));
  }
  const sweeping = setInterval(() => {
    for (const session of Object.values(state.sessions))
      if (session.expires_at <= now()) void expire(session);
  }, SWEEP_MS).unref();

  /** The same key and request: the same thing, made once. */
  function once<T extends { id: string }>(
    key: string | undefined,
    form: Form,
    known: Record<string, T>,
    make: () => T,
  ): T | 'another' {
    const asked = JSON.stringify(form);
    const before = key === undefined ? undefined : state.answers[key];
    if (before) return before.asked === asked ? (known[before.id] as T) : 'another';
    const made = make();
    known[made.id] = made;
    if (key !== undefined) state.answers[key] = { asked, id: made.id };
    save();
    return made;
  }

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  app.register(
    async (api) => {
      api.addHook('onResponse', async (request) =>
        step(`${request.method} ${request.routeOptions.url} answered`),
      );
      api.addHook('onRequest', async (request, reply) => {
        asked.all++;
        step(`${request.method} ${request.routeOptions.url} asked`);
        if (request.headers.authorization !== `Bearer ${options.secretKey}`)
          return error(reply, 401, 'Invalid API Key provided', 'authentication_error');
        if (mode === 'fail') return error(reply, 500, 'Told to fail', 'api_error');
        if (mode === 'nonsense') return reply.type('application/json').send('<html>');
        if (mode === 'hang') await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref());
      });

      api.post<{ Body: Form }>('/checkout/sessions', async ({ body, headers }, reply) => {
        asked.checkouts++;
        const key = headers['idempotency-key'] as string | undefined;
        const session = once<Session>(key, body, state.sessions, () => {
          const id = newId('cs');
          return {
            id,
            url: `${options.ownUrl()}/pay/${id}`,
            status: 'open',
            payment_status: 'unpaid',
            payment_intent: null,
            amount_total:
              Number(body['line_items[0][quantity]']) *
              Number(body['line_items[0][price_data][unit_amount]']),
            currency: body['line_items[0][price_data][currency]'] as string,
            description: body['line_items[0][price_data][product_data][name]'] as string,
            success_url: body.success_url as string,
            cancel_url: body.cancel_url as string,
            client_reference_id: body.client_reference_id ?? null,
            amount_refunded: 0,
            created: now(),
            expires_at: now() + DAY_S,
          };
        });
        return session === 'another'
          ? error(
              reply,
              400,
              'Keys for idempotent requests can only be used with the same parameters',
              'idempotency_error',
            )
          : sessionView(session);
      });
      api.get<{ Querystring: { payment_intent?: string } }>('/checkout/sessions', async ({ query }) => ({
        object: 'list',
        url: '/v1/checkout/sessions',
        has_more: false,
        data: Object.values(state.sessions)
          .filter(({ payment_intent: payment }) => payment === query.payment_intent)
          .map(sessionView),
      }));
      api.get<{ Params: { id: string } }>('/checkout/sessions/:id', async ({ params }, reply) => {
        const session = state.sessions[params.id];
        return session ? sessionView(session) : error(reply, 404, 'No such checkout.session');
      });

      api.post<{ Body: Form }>('/payouts', async ({ body, headers }, reply) => {
        asked.payouts++;
        const key = headers['idempotency-key'] as string | undefined;
        const payout = once(key, body, state.payouts, () => {
          const made: Payout = {
            id: newId('po'),
            status: 'pending',
            amount: Number(body.amount),
            currency: body.currency as string,
            failure_message: null,
            metadata: { reference: body['metadata[reference]'] ?? '' },
            created: now(),
          };
          schedule(made);
          return made;
        });
        return payout === 'another'
          ? error(reply, 400, 'Another request', 'idempotency_error')
          : payoutView(payout);
      });
      api.get<{ Params: { id: string } }>('/payouts/:id', async ({ params }, reply) => {
        const payout = state.payouts[params.id];
        return payout ? payoutView(payout) : error(reply, 404, 'No such payout');
      });
      api.post<{ Params: { id: string } }>('/payouts/:id/cancel', async ({ params }, reply) => {
        const payout = state.payouts[params.id];
        if (!payout) return error(reply, 404, 'No such payout');
        if (payout.status !== 'pending') return error(reply, 400, `The payout is ${payout.status}`);
        payout.status = 'canceled';
        save();
        void webhooks.send('payout.canceled', payoutView(payout));
        return payoutView(payout);
      });
    },
    { prefix: '/v1' },
  );

  app.get<{ Params: { id: string } }>('/pay/:id', async ({ params }, reply) => {
    const session = state.sessions[params.id];
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
    if (session?.status === 'open' && session.expires_at > now()) return checkoutPage(session);
    return reply.code(session ? 200 : 404).send(closedPage(session));
  });
  app.post<{ Params: { id: string }; Body: Form }>('/pay/:id', async ({ params, body }, reply) => {
    const session = state.sessions[params.id];
    if (!session) return reply.code(404).type('text/html; charset=utf-8').send(closedPage(undefined));
    if (!['pay', 'decline', 'cancel'].includes(body?.outcome ?? ''))
      return reply.code(422).type('text/html; charset=utf-8').send(checkoutPage(session));
    if (session.status === 'open' && session.expires_at > now()) {
      if (body.outcome === 'pay') {
        Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: newId('pi') });
        save();
        await webhooks.send('checkout.session.completed', sessionView(session));
      } else if (body.outcome === 'decline') {
        Object.assign(session, { status: 'complete', payment_intent: newId('pi') });
        save();
        await webhooks.send('checkout.session.async_payment_failed', sessionView(session));
      }
    }
    const isPaid = session.payment_status === 'paid';
    const target = isPaid ? session.success_url : session.cancel_url;
    return reply.redirect(target.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303);
  });
  app.get('/paid', async (_request, reply) => reply.type('text/html; charset=utf-8').send(returnPage(true)));
  app.get('/not-paid', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(returnPage(false)),
  );

  app.post<{ Body: Control }>('/control/payments', async ({ body }) => {
    mode = body.mode ?? mode;
    payoutsEnd = body.payouts ?? payoutsEnd;
    payoutDelay = body.payoutDelay ?? payoutDelay;
    if (body.payouts) scheduleAll(); // those that were held back
    if (body.webhooks !== undefined) webhooks.turn(body.webhooks);
    if (body.webhookPause !== undefined) webhooks.pause(body.webhookPause);
    return { mode, payoutsEnd, payoutDelay };
  });
  app.get('/control/payments', async () => ({
    ...asked,
    sessionsMade: Object.keys(state.sessions).length,
    payoutsMade: Object.keys(state.payouts).length,
  }));
  /** Lets time run out for a checkout. */
  app.post<{ Params: { id: string } }>('/control/payments/:id/expire', async ({ params }) => {
    await expire(state.sessions[params.id] as Session);
    return {};
  });
  /** Pays back so many cents more of what was paid, as an operator does in the provider's dashboard. */
  app.post<{ Params: { id: string }; Body: { cents: number } }>(
    '/control/payments/:id/refund',
    async ({ params, body }) => {
      const session = state.sessions[params.id] as Session;
      session.amount_refunded += body.cents;
      save();
      await webhooks.send('charge.refunded', {
        ...{ id: newId('ch'), object: 'charge', payment_intent: session.payment_intent },
        ...{ amount: session.amount_total, amount_refunded: session.amount_refunded },
      });
      return {};
    },
  );

  return {
    /** Where webhooks go. */
    deliverTo: webhooks.to,
    close: (): void => {
      clearInterval(sweeping);
      for (const timer of timers) clearTimeout(timer);
      webhooks.close();
    },
  };
}
