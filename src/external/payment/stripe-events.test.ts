import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { systemClock } from '../../kernel/time/time.ts';
import { stripePayments } from './stripe.ts';
import { HANDLED_EVENTS } from './stripe-events.ts';

/** What the provider answers at a path. */
let answer: (path: string) => object;
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request.url ?? '')));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const provider = () =>
  stripePayments({
    secretKey: 'sk_test_events',
    webhookSecret: 'whsec_events',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: systemClock,
  });

test('events that cannot be read are told, and do not keep the others from being read', async () => {
  const event = (id: string, type: string, object: unknown) => ({
    id,
    object: 'event',
    type,
    data: { object },
  });
  const payout = { id: 'po_1', amount: 500, currency: 'usd', status: 'paid' };
  const ours = { ...payout, metadata: { reference: 'r' } };
  const data = [
    event('evt_5', 'payout.paid', ours),
    event('evt_4', 'payout.paid', { ...payout, amount: -500 }),
    event('evt_3', 'payout.paid', { ...ours, amount: -500 }),
    event('evt_2', 'charge.refunded\0', null),
    event('evt_1', 'charge.refunded', { payment_intent: 'pi_1', amount_refunded: 5 }),
  ];
  answer = () => ({ object: 'list', has_more: false, data });
  const { events, unreadable } = await provider().eventsSince(new Date());
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['refund', 'payout'],
  );
  assert.deepEqual(unreadable, [{ id: 'evt_3', type: 'payout.paid' }]);
});

test('texts that PostgreSQL cannot store lose what it cannot, and names and references with such count for none', async () => {
  const odd = 'a\0b\ud800';
  answer = (path) => {
    if (path.startsWith('/v1/payment_intents')) return { id: 'pi_1', latest_charge: null };
    if (path.startsWith('/v1/payouts'))
      return { id: 'po_1', amount: 1, currency: odd, failure_message: odd, metadata: { reference: odd } };
    if (path.startsWith('/v1/checkout'))
      return { id: 'cs_1', amount_total: 1, currency: odd, client_reference_id: odd };
    const disputed = { id: 'dp_1', payment_intent: 'pi_1', amount: 1, status: 'lost', reason: odd };
    const data = path.startsWith('/v1/disputes')
      ? [disputed]
      : [{ id: 'evt_1', type: 'charge.dispute.closed', data: { object: { ...disputed, id: odd } } }];
    return { object: 'list', has_more: false, data };
  };
  assert.equal((await provider().reversalsOf('pi_1')).disputes[0]?.reason, 'ab\ufffd');
  const { reference, currency, reason } = (await provider().payout('po_1')) ?? assert.fail();
  assert.deepEqual([reference, currency, reason], ['', 'ab\ufffd', 'ab\ufffd']);
  const checkout = (await provider().checkout('cs_1')) ?? assert.fail();
  assert.deepEqual([checkout.reference, checkout.currency], ['ab\ufffd', 'ab\ufffd']);
  const { unreadable } = await provider().eventsSince(new Date());
  assert.deepEqual(unreadable, [{ id: 'evt_1', type: 'charge.dispute.closed' }]);
});

test('the guide names every event that the webhook must be subscribed to', () => {
  const guide = readFileSync('docs/deploying.md', 'utf8');
  assert.deepEqual(
    HANDLED_EVENTS.filter((type) => !guide.includes(`\`${type}\``)),
    [],
  );
});
