import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Stripe from 'stripe';
import { closeAlert, listAlerts, listAudit, listCheckouts } from '../../../sdk/src/index.ts';
import { PAYMENT_WEBHOOK_SECRET, startPlatform } from '../../../test/support/platform.ts';
import { providerSession } from '../../../test/support/provider-sessions.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidSignature } from '../../external/payment/port.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, client } = platform;
const { webhooks } = new Stripe('sk');

const sent = (payload: string, secret = PAYMENT_WEBHOOK_SECRET) =>
  client
    .with({
      'x-api-key': undefined,
      'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
    })
    .sendText('POST', '/v1/webhooks/payments', payload);
const send = (body: unknown, secret?: string) => sent(JSON.stringify(body), secret);

const TYPES = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_failed',
  'charge.refunded',
  'refund.failed',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.closed',
  'payout.paid',
  'payout.failed',
];

test('signed bodies that are no event are 400', async () => {
  const odd: unknown[] = [null, [], 5, 'text', true, {}, { type: 5 }, { type: null }, { data: {} }];
  for (const type of TYPES) {
    odd.push({ type }, { type, data: null }, { type, data: [] }, { type, data: {} });
    odd.push({ type, data: { object: null } }, { type, data: { object: 'x' } });
    odd.push({ type, data: { object: { id: 5, payment_intent: 5, amount_refunded: '5' } } });
  }
  odd.push({ type: 'checkout.session.completed', data: { object: { id: 'cs_1', amount_total: '5' } } });
  odd.push({ type: 'charge.refunded', data: { object: { payment_intent: 'pi_1', amount_refunded: -1 } } });
  odd.push({ type: 'payout.paid', data: { object: { id: 'po_1', metadata: 'x' } } });
  for (const body of odd) {
    const { status, body: answered } = await send(body);
    assert.deepEqual([status, answered.error], [400, 'INVALID_EVENT'], JSON.stringify(body));
    assertRefused(await send(body, 'whsec_of_somebody_else'), invalidSignature, JSON.stringify(body));
  }
});

test('webhooks of other event types are 200, whatever they contain', async () => {
  for (const type of ['customer.created', 'constructor', '__proto__', 'toString', '', 'payout.created']) {
    for (const data of [undefined, null, [], { object: null }])
      assert.equal((await send({ type, data })).status, 200, type);
  }
});

test('any signed webhook is answered without a 500', async () => {
  const field = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('cs_1', 'pi_1', 'paid', 'complete', 'won', 'usd', '') },
    { weight: 2, arbitrary: fc.constantFrom(0, 1, -1, 1.5, 1e300, null, true) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  const names = ['id', 'status', 'payment_status', 'payment_intent', 'amount_total', 'amount_refunded'];
  const others = ['amount', 'currency', 'metadata', 'failure_message', 'reason', 'client_reference_id'];
  const object = fc.record(Object.fromEntries([...names, ...others].map((name) => [name, field])), {
    requiredKeys: [],
  });
  const event = fc.record({ type: fc.constantFrom(...TYPES), data: fc.record({ object }) });
  await fc.assert(
    fc.asyncProperty(fc.oneof(event, fc.jsonValue()), async (body) => {
      const { status } = await send(body);
      assert.ok([200, 400].includes(status), `${status}: ${JSON.stringify(body)}`);
    }),
    { numRuns: 400 },
  );
});

test('a paid checkout that is not in the database is reported to operators once', async () => {
  const session = {
    id: 'cs_of_nobody',
    status: 'complete',
    payment_status: 'paid',
    payment_intent: 'pi_of_nobody',
    amount_total: 2500,
    currency: 'usd',
    client_reference_id: platform.adminId,
  };
  for (let times = 0; times < 3; times++) {
    const { status } = await send({ type: 'checkout.session.completed', data: { object: session } });
    assert.equal(status, 200);
  }
  const { data } = await admin.call(listAudit, {
    query: { actor: 'service:payments', target: 'cs_of_nobody' },
  });
  assert.equal(data.length, 1);
  const { action, details } = data[0] ?? assert.fail();
  assert.deepEqual(
    [action, details],
    [
      'payment.unknown-checkout',
      {
        sessionId: 'cs_of_nobody',
        paymentId: 'pi_of_nobody',
        cents: 2500,
        currency: 'usd',
        reference: platform.adminId,
      },
    ],
  );
});

test('refunds and disputes of unknown payments are reported to operators', async () => {
  const charge = { payment_intent: 'pi_unknown', amount_refunded: 100 };
  const dispute = { id: 'dp_1', payment_intent: 'pi_other', amount: 100, status: 'needs_response' };
  for (let times = 0; times < 2; times++) {
    await send({ type: 'charge.refunded', data: { object: charge } });
    await send({ type: 'charge.dispute.created', data: { object: dispute } });
  }
  for (const payment of ['pi_other', 'pi_unknown']) {
    const { data } = await admin.call(listAudit, {
      query: { action: 'payment.unknown-reversal', target: payment },
    });
    assert.equal(data.length, 1, payment);
  }
});

const openAbout = async (target: string) =>
  (await admin.call(listAlerts, { query: { status: 'open', target } })).data;
async function closeAbout(target: string): Promise<void> {
  for (const { id } of await openAbout(target))
    await admin.call(closeAlert, { params: { alertId: id }, body: { reason: 'Took the Keys' } });
}
const actionsAbout = async (target: string) => (await openAbout(target)).map(({ action }) => action);

test('an unknown payout that the bank sends back is no task, unless somebody has dealt with its payment', async () => {
  const report = (id: string, status: 'paid' | 'failed' | 'canceled') => {
    const metadata = { reference: 'f'.repeat(24) };
    const object = { id, object: 'payout', amount: 4_000, currency: 'usd', status, metadata };
    return send({ type: `payout.${status}`, data: { object } });
  };
  for (const end of ['failed', 'canceled'] as const) {
    const id = `po_lost_${end}`;
    await report(id, 'paid');
    assert.deepEqual(await actionsAbout(id), ['payment.unknown-payout']);
    for (const status of [end, 'paid', end] as const) assert.equal((await report(id, status)).status, 200);
    assert.deepEqual(await actionsAbout(id), [], end);
  }
  await report('po_debited', 'paid');
  await closeAbout('po_debited');
  for (let times = 0; times < 2; times++) await report('po_debited', 'failed');
  assert.deepEqual(await actionsAbout('po_debited'), ['payment.unknown-payout-returned']);
  await closeAbout('po_debited');
  await report('po_debited', 'failed');
  assert.deepEqual(await actionsAbout('po_debited'), []);
});

test('an unknown dispute that is won is no task, unless somebody has dealt with it', async () => {
  const report = (id: string, status: string) => {
    const object = { id, payment_intent: `pi of ${id}`, amount: 100, status };
    return send({ type: 'charge.dispute.updated', data: { object } });
  };
  await report('dp_won', 'needs_response');
  assert.deepEqual(await actionsAbout('pi of dp_won'), ['payment.unknown-reversal']);
  for (const status of ['won', 'won', 'lost']) await report('dp_won', status);
  assert.deepEqual(await actionsAbout('pi of dp_won'), []);
  await report('dp_debited', 'needs_response');
  await closeAbout('pi of dp_debited');
  for (const status of ['won', 'won']) await report('dp_debited', status);
  assert.deepEqual(await actionsAbout('pi of dp_debited'), ['payment.unknown-reversal-won']);
});

test('a refund that fails after all is one task of operators, and its Keys stay taken', async () => {
  const ada = await platform.newMember();
  const { id, link } = await platform.checkout(ada, 10);
  await platform.pay(link);
  const { data } = await admin.call(listCheckouts, { query: { userId: ada.id } });
  const paymentId = data[0]?.paymentId ?? assert.fail(`${id} is not paid`);
  const refund = { id: 're_1', payment_intent: paymentId, amount: 400, status: 'failed' };
  for (const type of ['refund.failed', 'charge.refund.updated', 'refund.failed'])
    assert.equal((await send({ type, data: { object: refund } })).status, 200);
  const pending = { ...refund, id: 're_2', status: 'succeeded' };
  await send({ type: 'charge.refund.updated', data: { object: pending } });
  const alerts = (await admin.call(listAlerts, { query: { status: 'open', target: ada.id } })).data;
  assert.deepEqual(
    alerts.map(({ action, details }) => [action, details.refundId, details.cents]),
    [['payment.refund-failed', 're_1', 400]],
  );
});

test('a payment of another amount is reported to operators', async () => {
  const ada = await platform.newMember();
  await platform.standIn('payments', { webhooks: false });
  const { id, link } = await platform.checkout(ada, 10);
  const object = {
    id,
    status: 'complete',
    payment_status: 'paid',
    payment_intent: 'pi_2',
    amount_total: 1,
    currency: 'usd',
  };
  for (let times = 0; times < 2; times++)
    await send({ type: 'checkout.session.completed', data: { object } });
  const { data } = await admin.call(listAudit, {
    query: { action: 'payment.amount-mismatch', target: ada.id },
  });
  assert.equal(data.length, 1);
  assert.deepEqual([data[0]?.details.expectedCents, data[0]?.details.paidCents], [1000, 1]);
  const query = { target: ada.id, status: 'open' } as const;
  assert.equal((await admin.call(listAlerts, { query })).data.length, 1);
  await platform.pay(link);
  const right = await providerSession(platform, id);
  await send({ type: 'checkout.session.completed', data: { object: right } });
  assert.deepEqual((await admin.call(listAlerts, { query })).data, [], 'the right payment ends the alert');
});
