import type { FastifyInstance, FastifyReply } from 'fastify';
import { payoutView } from './payouts.ts';
import { chargeView, type PaymentProvider, sessionView } from './provider.ts';
import type { Form } from './requests.ts';
import { eventView } from './webhooks.ts';

export const MODES = ['ok', 'fail', 'hang', 'nonsense'] as const;
export type Mode = (typeof MODES)[number];

const HANG_MS = 60_000;

interface ApiOptions {
  provider: PaymentProvider;
  secretKey: string;
  /** Returns its current behaviour. */
  mode: () => Mode;
  /** Whether it fails to tell what was refunded or disputed. */
  withoutReversals: () => boolean | 'unreadable';
  /** Sessions for which it fails. */
  failing: Set<string>;
}

const refuse = (reply: FastifyReply, status: number, message: string, type = 'invalid_request_error') =>
  reply
    .code(status)
    .send({ error: { type, message, ...(status === 404 ? { code: 'resource_missing' } : {}) } });

/** Adds the provider's API: the part of Stripe's protocol that checkouts and payouts need. */
export function addPaymentApi(
  app: FastifyInstance,
  { provider, secretKey, mode, failing, withoutReversals }: ApiOptions,
): void {
  const { state, step } = provider;
  const keyOf = (headers: Record<string, unknown>) => headers['idempotency-key'] as string | undefined;
  const anotherRequest = (reply: FastifyReply) =>
    refuse(reply, 400, 'Keys for idempotent requests are for the same request only', 'idempotency_error');

  app.addHook('onResponse', async ({ method, routeOptions }) =>
    step(`${method} ${routeOptions.url} answered`),
  );
  app.addHook('onRequest', async ({ method, routeOptions, headers }, reply) => {
    step(`${method} ${routeOptions.url} asked`);
    if (headers.authorization !== `Bearer ${secretKey}`)
      return refuse(reply, 401, 'Invalid API Key provided', 'authentication_error');
    if (mode() === 'fail') return refuse(reply, 500, 'failing on request', 'api_error');
    if (mode() === 'nonsense') return reply.type('application/json').send('<html>');
    if (mode() === 'hang') await new Promise((resolve) => setTimeout(resolve, HANG_MS).unref());
  });

  app.post<{ Body: Form }>('/checkout/sessions', async ({ body, headers }, reply) => {
    const session = provider.openSession(keyOf(headers), body);
    return session ? sessionView(session) : anotherRequest(reply);
  });
  app.get<{ Querystring: { payment_intent?: string } }>('/checkout/sessions', async ({ query }) => ({
    object: 'list',
    url: '/v1/checkout/sessions',
    has_more: false,
    data: Object.values(state.sessions)
      .filter(({ payment_intent: payment }) => payment === query.payment_intent)
      .map(sessionView),
  }));
  app.get<{ Params: { id: string } }>('/checkout/sessions/:id', async ({ params }, reply) => {
    if (failing.has(params.id)) return refuse(reply, 500, 'failing on request for it', 'api_error');
    const session = state.sessions[params.id];
    return session ? sessionView(session) : refuse(reply, 404, 'No such checkout.session');
  });

  app.get<{ Params: { id: string } }>('/payment_intents/:id', async ({ params: { id } }, reply) => {
    if (withoutReversals() === true) return refuse(reply, 500, 'failing on request for it', 'api_error');
    const session = Object.values(state.sessions).find(({ payment_intent: payment }) => payment === id);
    if (!session) return refuse(reply, 404, 'No such payment_intent');
    const unreadable = withoutReversals() === 'unreadable' && { amount_refunded: null };
    const latest_charge = { ...chargeView(session), ...unreadable };
    return { id, object: 'payment_intent', livemode: false, latest_charge };
  });
  app.get<{ Querystring: { payment_intent?: string } }>('/disputes', async ({ query }) => ({
    object: 'list',
    url: '/v1/disputes',
    has_more: false,
    data: Object.values(state.disputes).filter(
      ({ payment_intent: payment }) => payment === query.payment_intent,
    ),
  }));

  app.post<{ Body: Form }>('/payouts', async ({ body, headers }, reply) => {
    const payout = provider.payouts.create(keyOf(headers), body);
    return payout ? payoutView(payout) : anotherRequest(reply);
  });
  app.get<{ Querystring: Record<string, string> }>('/payouts', async ({ query }) =>
    listed('/v1/payouts', Object.values(state.payouts), query, payoutView),
  );
  app.get<{ Querystring: Record<string, string> }>('/events', async ({ query }) => {
    const types = Object.entries(query).flatMap(([name, type]) => (name.startsWith('types[') ? [type] : []));
    const wanted = state.events.filter(({ type }) => types.length === 0 || types.includes(type));
    return listed('/v1/events', wanted, query, eventView);
  });
  app.get<{ Params: { id: string } }>('/payouts/:id', async ({ params }, reply) => {
    const payout = state.payouts[params.id];
    return payout ? payoutView(payout) : refuse(reply, 404, 'No such payout');
  });
  app.post<{ Params: { id: string } }>('/payouts/:id/cancel', async ({ params }, reply) => {
    const payout = state.payouts[params.id];
    if (!payout) return refuse(reply, 404, 'No such payout');
    return provider.payouts.cancel(payout)
      ? payoutView(payout)
      : refuse(reply, 400, `The payout is ${payout.status}`);
  });
}

/** Returns a page of what was made since a time, newest first. */
function listed<Item extends { id: string; created: number }>(
  url: string,
  all: Item[],
  query: Record<string, string>,
  view: (item: Item) => object,
) {
  const since = Number(query['created[gte]'] ?? 0);
  const newestFirst = all.filter(({ created }) => created >= since).reverse();
  const first = newestFirst.findIndex(({ id }) => id === query.starting_after) + 1;
  const end = first + Number(query.limit ?? 10);
  return {
    object: 'list',
    url,
    has_more: end < newestFirst.length,
    data: newestFirst.slice(first, end).map(view),
  };
}
