import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { oneOf } from '../../kernel/operations/shapes.ts';
import { MAX_TIMER_MS, taking } from '../taking.ts';
import { addPaymentActions } from './actions.ts';
import { addPaymentApi, MODES, type Mode } from './api.ts';
import { checkoutPage, closedPage, returnPage } from './page.ts';
import { PAYOUT_ENDINGS } from './payouts.ts';
import { type ProviderOptions, paymentProvider } from './provider.ts';
import type { Form } from './requests.ts';

const Milliseconds = Type.Number({ minimum: 0, maximum: MAX_TIMER_MS });
const Control = Type.Object({
  mode: Type.Optional(oneOf(MODES)),
  /** Whether webhooks are sent. */
  webhooks: Type.Optional(Type.Boolean()),
  /** Delay before the first retry of a webhook, in milliseconds. */
  webhookPause: Type.Optional(Milliseconds),
  payouts: Type.Optional(oneOf(PAYOUT_ENDINGS)),
  /** In seconds. */
  payoutDelay: Type.Optional(Type.Number({ minimum: 0 })),
  /** Whether its API fails when it is asked what was refunded or disputed, or answers what nobody can read. */
  withoutReversals: Type.Optional(Type.Unsafe<boolean | 'unreadable'>({ enum: [true, false, 'unreadable'] })),
  /** Sessions for which its API fails; replaces the previous list. */
  failing: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
});

const html = (reply: FastifyReply, page: string, status = 200) =>
  reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);

/**
 * Adds a payment provider that implements Stripe's protocol: Checkout Sessions with a hosted page, payouts, signed
 * webhooks. It can be made (`POST /control/payments`) to fail, hang, return nonsense, or withhold its webhooks.
 */
export function addPayments(app: FastifyInstance, options: ProviderOptions & { secretKey: string }) {
  const provider = paymentProvider(options);
  const { sessions, payouts } = provider.state;
  let mode: Mode = 'ok';
  let withoutReversals: boolean | 'unreadable' = false;
  const failing = new Set<string>();

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.register(
    async (api) =>
      addPaymentApi(api, {
        provider,
        secretKey: options.secretKey,
        mode: () => mode,
        failing,
        withoutReversals: () => withoutReversals,
      }),
    { prefix: '/v1' },
  );

  app.get<{ Params: { id: string } }>('/pay/:id', async ({ params }, reply) => {
    const session = sessions[params.id];
    if (session && provider.isOpen(session)) return html(reply, checkoutPage(session));
    return html(reply, closedPage(session), session ? 200 : 404);
  });
  app.post<{ Params: { id: string }; Body?: Form }>('/pay/:id', async ({ params, body }, reply) => {
    const session = sessions[params.id];
    const outcome = body?.outcome;
    if (!session) return html(reply, closedPage(undefined), 404);
    if (outcome !== 'pay' && outcome !== 'decline' && outcome !== 'cancel')
      return html(reply, checkoutPage(session), 422);
    if (outcome !== 'cancel' && provider.isOpen(session)) await provider.act(session, outcome);
    const target = session.payment_status === 'paid' ? session.success_url : session.cancel_url;
    return reply.redirect(target.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303);
  });
  app.get('/paid', async (_request, reply) => html(reply, returnPage(true)));
  app.get('/not-paid', async (_request, reply) => html(reply, returnPage(false)));

  const control = taking(Control, ({ body }) => {
    mode = body.mode ?? mode;
    withoutReversals = body.withoutReversals ?? withoutReversals;
    provider.payouts.set({ ending: body.payouts, delay: body.payoutDelay });
    if (body.failing) {
      failing.clear();
      for (const id of body.failing) failing.add(id);
    }
    if (body.webhooks !== undefined) provider.webhooks.turn(body.webhooks);
    if (body.webhookPause !== undefined) provider.webhooks.pause(body.webhookPause);
    return { mode };
  });
  app.post('/control/payments', control);
  app.get('/control/payments', async () => ({
    sessionsMade: Object.keys(sessions).length,
    payoutsMade: Object.keys(payouts).length,
  }));
  addPaymentActions(app, provider);

  return {
    /** Sets the URL to which webhooks are sent. */
    deliverTo: provider.webhooks.to,
    passTime: provider.passTime,
    close: provider.close,
  };
}
