import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { oneOf } from '../../kernel/operations/shapes.ts';
import { refuse, taking } from '../taking.ts';
import type { PaymentProvider } from './provider.ts';
import type { Payout } from './state.ts';

const PAYOUT_STATUSES: readonly Payout['status'][] = ['pending', 'in_transit', 'paid', 'failed', 'canceled'];

const Cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Text = Type.String({ minLength: 1, maxLength: 255 });
const Nothing = Type.Object({});
const Refund = Type.Object({ cents: Type.Integer({ ...Cents, minimum: 1 }) });
const Dispute = Type.Object({ event: Text, id: Text, status: Text, amount: Type.Optional(Cents) });
const PayoutEnd = Type.Object({ status: oneOf(PAYOUT_STATUSES), amount: Type.Optional(Cents) });

/**
 * Adds what payers, banks and operators do at the provider. Refuses what a real one would refuse: nothing else could be told
 * from a fault of the platform.
 */
export function addPaymentActions(app: FastifyInstance, provider: PaymentProvider): void {
  const { sessions, payouts } = provider.state;
  const noSession = (reply: FastifyReply) => refuse(reply, 404, 'There is no such checkout session.');
  const notPaid = (reply: FastifyReply) => refuse(reply, 422, 'The checkout session is not paid.');

  const idOf = (params: Record<string, string>) => params.id ?? '';

  app.post(
    '/control/payments/:id/expire',
    taking(Nothing, async ({ params }, reply) => {
      const session = sessions[idOf(params)];
      if (!session) return noSession(reply);
      await provider.expire(session);
      return {};
    }),
  );

  app.post(
    '/control/payments/:id/refund',
    taking(Refund, async ({ params, body: { cents } }, reply) => {
      const session = sessions[idOf(params)];
      if (!session) return noSession(reply);
      if (session.payment_status !== 'paid') return notPaid(reply);
      const left = session.amount_total - session.amount_refunded;
      if (cents > left)
        return refuse(reply, 422, `"cents" is more than the ${left} of the payment that are not refunded.`);
      await provider.refund(session, cents);
      return {};
    }),
  );

  app.post(
    '/control/payments/:id/dispute',
    taking(Dispute, async ({ params, body: { event, ...dispute } }, reply) => {
      const session = sessions[idOf(params)];
      if (!session) return noSession(reply);
      if (session.payment_status !== 'paid') return notPaid(reply);
      await provider.dispute(session, event, dispute);
      return {};
    }),
  );

  app.post(
    '/control/payouts/:id/end',
    taking(PayoutEnd, async ({ params, body: { status, amount } }, reply) => {
      const payout = payouts[idOf(params)];
      if (!payout) return refuse(reply, 404, 'There is no such payout.');
      await provider.payouts.endSo(payout, status, amount);
      return {};
    }),
  );
}
