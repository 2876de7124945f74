import type { FastifyInstance, FastifyReply } from 'fastify';
import type { PaymentProvider } from './provider.ts';
import type { Payout } from './state.ts';

type Body = Record<string, unknown> | null | undefined;

const MAX_TEXT_LENGTH = 255;
const PAYOUT_STATUSES: readonly Payout['status'][] = ['pending', 'in_transit', 'paid', 'failed', 'canceled'];

const isCents = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH;
const refuse = (reply: FastifyReply, status: 404 | 422, message: string) =>
  reply.code(status).send({ error: message });

/**
 * Adds what payers, banks and operators do at the provider. Refuses what a real one would refuse: nothing else could be told
 * from a fault of the platform.
 */
export function addPaymentActions(app: FastifyInstance, provider: PaymentProvider): void {
  const { sessions, payouts } = provider.state;
  const noSession = (reply: FastifyReply) => refuse(reply, 404, 'There is no such checkout session.');
  const notPaid = (reply: FastifyReply) => refuse(reply, 422, 'The checkout session is not paid.');

  app.post<{ Params: { id: string } }>('/control/payments/:id/expire', async ({ params }, reply) => {
    const session = sessions[params.id];
    if (!session) return noSession(reply);
    await provider.expire(session);
    return {};
  });

  app.post<{ Params: { id: string }; Body: Body }>(
    '/control/payments/:id/refund',
    async ({ params, body }, reply) => {
      const session = sessions[params.id];
      const cents = body?.cents;
      if (!session) return noSession(reply);
      if (!isCents(cents) || cents === 0)
        return refuse(reply, 422, '"cents" is a whole number greater than 0.');
      if (session.payment_status !== 'paid') return notPaid(reply);
      const left = session.amount_total - session.amount_refunded;
      if (cents > left)
        return refuse(reply, 422, `"cents" is more than the ${left} of the payment that are not refunded.`);
      await provider.refund(session, cents);
      return {};
    },
  );

  app.post<{ Params: { id: string }; Body: Body }>(
    '/control/payments/:id/dispute',
    async ({ params, body }, reply) => {
      const session = sessions[params.id];
      const { event, id, status, amount } = body ?? {};
      if (!session) return noSession(reply);
      if (!isText(event) || !isText(id) || !isText(status))
        return refuse(reply, 422, '"event", "id" and "status" are texts that are not empty.');
      if (amount !== undefined && !isCents(amount))
        return refuse(reply, 422, '"amount" is a whole number of cents.');
      if (session.payment_status !== 'paid') return notPaid(reply);
      await provider.dispute(session, event, { id, status, ...(amount === undefined ? {} : { amount }) });
      return {};
    },
  );

  app.post<{ Params: { id: string }; Body: Body }>(
    '/control/payouts/:id/end',
    async ({ params, body }, reply) => {
      const payout = payouts[params.id];
      const { status: wanted, amount } = body ?? {};
      const status = PAYOUT_STATUSES.find((one) => one === wanted);
      if (!payout) return refuse(reply, 404, 'There is no such payout.');
      if (!status) return refuse(reply, 422, `"status" is one of ${PAYOUT_STATUSES.join(', ')}.`);
      if (amount !== undefined && !isCents(amount))
        return refuse(reply, 422, '"amount" is a whole number of cents.');
      await provider.payouts.endSo(payout, status, amount);
      return {};
    },
  );
}
