import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { systemClock } from '../../kernel/time/time.ts';
import { PaymentRefused } from './port.ts';
import { stripePayments } from './stripe.ts';

let answerWith: (response: ServerResponse, request: IncomingMessage) => void;
const server = createServer((request, response) => {
  request.resume();
  answerWith(response.setHeader('content-type', 'application/json'), request);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});

const CHECKOUT = {
  idempotencyKey: 'a',
  description: 'Keys',
  cents: 1_000,
  successUrl: 'https://app.example.com/paid',
  cancelUrl: 'https://app.example.com/not-paid',
  reference: 'r',
};
const provider = () =>
  stripePayments({
    secretKey: 'sk_test_bounded',
    webhookSecret: 'whsec_bounded',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: systemClock,
  });
const open = () => provider().openCheckout(CHECKOUT);
const SESSION = {
  id: 'cs_1',
  object: 'checkout.session',
  url: 'https://pay.example.com/1',
  expires_at: 2_000_000_000,
  amount_total: 1_000,
  currency: 'usd',
  client_reference_id: 'r',
};
const session = (padding: string) => JSON.stringify({ ...SESSION, padding });
const unavailable = { code: 'PAYMENT_UNAVAILABLE' };

test('an oversized response of the payment provider is refused instead of buffered', async () => {
  answerWith = (response) => response.end(session(''));
  assert.equal((await open()).sessionId, 'cs_1');
  answerWith = (response) => response.end(session('x'.repeat(2 * 1024 * 1024)));
  await assert.rejects(open(), unavailable);
});

test('JSON that is no object does not end the process', async () => {
  for (const text of ['"x"', '5', 'true', '-1', 'null', '[]', '<html>', '', '{"error":5}', '{"error":"x"}']) {
    for (const status of [200, 404]) {
      answerWith = (response) => response.writeHead(status).end(text);
      await assert.rejects(open(), unavailable, text);
    }
  }
});

test('a checkout without an id, a link or an end that can be given to a payer is refused', async () => {
  for (const odd of [
    ...[{ id: 'cs\0' }, { id: 'cs\ud800' }, { id: 'c'.repeat(256) }, { id: 5 }, { id: undefined }],
    ...[{ url: 'javascript:alert(1)' }, { url: {} }, { url: null }, { url: '/1' }, { url: 'https://' }],
    ...[
      { url: `https://pay.example.com/${'x'.repeat(9_000)}` },
      { expires_at: null },
      { expires_at: 'soon' },
    ],
    ...[{ expires_at: 1e18 }, { expires_at: -1 }, { expires_at: 1.5 }],
  ]) {
    answerWith = (response) => response.end(JSON.stringify({ ...SESSION, ...odd }));
    await assert.rejects(open(), unavailable, JSON.stringify(odd));
  }
});

test('the reason of a refusal can be stored, whatever the payment provider wrote', async () => {
  const refusing = (message: string) => {
    const error = { type: 'invalid_request_error', message };
    answerWith = (response) => response.writeHead(400).end(JSON.stringify({ error }));
    return open().then(
      () => assert.fail('it was accepted'),
      ({ message }: Error) => message,
    );
  };
  assert.equal(await refusing('No such\0 bank \ud83d'), 'No such bank \ufffd');
  assert.equal((await refusing('x'.repeat(10_000))).length, 500);
});

test('a response that trickles in ends at the timeout', { timeout: 60_000 }, async () => {
  let closed = 0;
  answerWith = (response) => {
    const dripping = setInterval(() => response.write(' '), 200);
    response.once('close', () => {
      closed++;
      clearInterval(dripping);
    });
  };
  await assert.rejects(open(), unavailable);
  assert.ok(closed > 0);
});

test('an answer about another checkout or payout than the one asked for is refused', async () => {
  const paid = {
    id: 'cs_1',
    status: 'complete',
    payment_status: 'paid',
    amount_total: 1_000,
    currency: 'usd',
  };
  const payout = { id: 'po_1', amount: 500, currency: 'usd', status: 'paid', metadata: { reference: 'r' } };
  answerWith = (response) => response.end(JSON.stringify(paid));
  assert.equal((await provider().checkout('cs_1'))?.status, 'paid');
  await assert.rejects(provider().checkout('cs_2'), unavailable);
  answerWith = (response) => response.end(JSON.stringify(payout));
  assert.equal((await provider().payout('po_1'))?.status, 'paid');
  await assert.rejects(provider().payout('po_2'), unavailable);
  await assert.rejects(provider().cancelPayout('po_2'), unavailable);
});

test('only an answer that an object is missing says that the provider does not know it', async () => {
  const refusing = (error: object) => {
    answerWith = (response) => void response.writeHead(404).end(JSON.stringify({ error }));
  };
  const missing = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payout' };
  refusing(missing);
  assert.equal(await provider().payout('po_1'), undefined);
  assert.equal(await provider().cancelPayout('po_1'), undefined);
  assert.equal(await provider().checkout('cs_1'), undefined);
  for (const other of [
    { ...missing, code: undefined, message: 'Unrecognized request URL' },
    { message: 'Off' },
  ]) {
    refusing(other);
    for (const call of [
      () => provider().payout('po_1'),
      () => provider().cancelPayout('po_1'),
      () => provider().checkout('cs_1'),
    ])
      await assert.rejects(call, JSON.stringify(other));
  }
});

test('an answer about another checkout or payout than the one ordered is refused', async () => {
  const payout = { id: 'po_1', object: 'payout', amount: 500, currency: 'usd', status: 'paid' };
  const made = { ...payout, metadata: { reference: 'r' } };
  const pay = (answer: object) => {
    answerWith = (response) => response.end(JSON.stringify(answer));
    return provider().createPayout({ idempotencyKey: 'a', cents: 500, reference: 'r' });
  };
  assert.equal((await pay(made)).status, 'paid');
  for (const other of [
    { object: 'checkout.session' },
    { amount: 1 },
    { currency: 'eur' },
    { metadata: { reference: 'of somebody else' } },
    { metadata: null },
  ])
    await assert.rejects(pay({ ...made, ...other }), unavailable, JSON.stringify(other));
  for (const other of [
    { object: 'payout' },
    { amount_total: 1 },
    { currency: 'eur' },
    { client_reference_id: 'of somebody else' },
  ]) {
    answerWith = (response) => response.end(JSON.stringify({ ...SESSION, ...other }));
    await assert.rejects(open(), unavailable, JSON.stringify(other));
  }
});

test('a key that was used for another request is no refusal: the payout made under it counts, if it is found', async () => {
  let listed: object[] = [];
  answerWith = (response, request) => {
    if (request.method === 'GET')
      return void response.end(JSON.stringify({ object: 'list', has_more: false, data: listed }));
    response.writeHead(400).end('{"error":{"type":"idempotency_error","message":"other parameters"}}');
  };
  const adapter = provider();
  const pay = () => adapter.createPayout({ idempotencyKey: 'a', cents: 500, reference: 'r' });
  for (let attempt = 0; attempt < 7; attempt++) await assert.rejects(pay(), unavailable);
  await assert.rejects(adapter.openCheckout(CHECKOUT), unavailable);
  const made = { id: 'po_1', object: 'payout', amount: 500, currency: 'usd', status: 'paid' };
  for (const other of [{ amount: 9_900 }, { currency: 'eur' }]) {
    listed = [{ ...made, ...other, metadata: { reference: 'r' } }];
    await assert.rejects(pay(), unavailable, JSON.stringify(other));
  }
  listed = [{ ...made, metadata: { reference: 'r' } }];
  assert.deepEqual([(await pay()).payoutId, (await pay()).status], ['po_1', 'paid'], 'the circuit is closed');
});

test('a payout is found by our reference on any page of those made since', async () => {
  const made = Array.from({ length: 250 }, (_, place) => ({
    id: `po_${place}`,
    amount: 500 + place,
    currency: 'usd',
    status: 'paid',
    metadata: { reference: `r${place}` },
  }));
  const asked: string[] = [];
  answerWith = (response, request) => {
    const query = new URL(request.url as string, 'http://x').searchParams;
    asked.push(String(query));
    const first = made.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    const data = made.slice(first, first + 100);
    response.end(
      JSON.stringify({ object: 'list', url: '/v1/payouts', has_more: first + 100 < made.length, data }),
    );
  };
  const since = new Date('2026-03-01T12:00:00.900Z');
  assert.deepEqual(await provider().payoutOf('r230', since), {
    payoutId: 'po_230',
    reference: 'r230',
    cents: 730,
    currency: 'usd',
    status: 'paid',
    reason: null,
  });
  assert.equal(asked.length, 3);
  for (const query of asked) assert.match(query, /created%5Bgte%5D=1772366400/);
  assert.equal(await provider().payoutOf('r', since), undefined);
  answerWith = (response) => void response.writeHead(400).end('{"error":{"type":"invalid_request_error"}}');
  await assert.rejects(provider().payoutOf('r1', since), PaymentRefused);

  const twice = ['failed', 'paid', 'pending'].map((status) => ({ ...made[0], id: `po_${status}`, status }));
  answerWith = (response) =>
    void response.end(JSON.stringify({ object: 'list', has_more: false, data: twice }));
  assert.equal((await provider().payoutOf('r0', since))?.payoutId, 'po_paid');
});

test('what was refunded and disputed of a payment is read from its charge and the list of disputes', async () => {
  const payment = { id: 'pi_1', latest_charge: { id: 'ch_1', amount_refunded: 250 } as object | null };
  const asked: string[] = [];
  const disputed = {
    id: 'dp_1',
    payment_intent: { id: 'pi_1' },
    amount: 700,
    status: 'lost',
    reason: 'fraud',
  };
  answerWith = (response, request) => {
    asked.push(decodeURIComponent(request.url ?? ''));
    const isList = request.url?.startsWith('/v1/disputes');
    response.end(JSON.stringify(isList ? { object: 'list', has_more: false, data: [disputed] } : payment));
  };
  const dispute = { disputeId: 'dp_1', paymentId: 'pi_1', cents: 700, status: 'lost', reason: 'fraud' };
  assert.deepEqual(await provider().reversalsOf('pi_1'), { refundedCents: 250, disputes: [dispute] });
  assert.deepEqual(asked, [
    '/v1/payment_intents/pi_1?expand[0]=latest_charge',
    '/v1/disputes?payment_intent=pi_1&limit=100',
  ]);
  payment.latest_charge = null;
  assert.equal((await provider().reversalsOf('pi_1')).refundedCents, 0);
  disputed.payment_intent.id = 'pi_2';
  await assert.rejects(provider().reversalsOf('pi_1'), unavailable, 'a dispute of another payment');
  disputed.payment_intent.id = 'pi_1';
  await assert.rejects(provider().reversalsOf('pi_2'), unavailable, 'another payment');
  for (const charge of [{}, { amount_refunded: -1 }, 'ch_1']) {
    payment.latest_charge = charge as object;
    await assert.rejects(provider().reversalsOf('pi_1'), unavailable, JSON.stringify(charge));
  }
});

test('a redirect is not followed', async () => {
  let requests = 0;
  answerWith = (response) => {
    requests++;
    response.writeHead(302, { location: '/elsewhere' }).end();
  };
  await assert.rejects(open(), unavailable);
  assert.equal(requests, 1);
});

test('answers about one object that cannot be read do not suspend the calls about others', async () => {
  const one = provider();
  const unreadable = (answer: object) => {
    answerWith = (response) => response.end(JSON.stringify(answer));
  };
  const payment = { id: 'pi_1', object: 'payment_intent', latest_charge: { amount_refunded: null } };
  for (const [answer, call] of [
    [{ ...payment, data: [] }, () => one.reversalsOf('pi_1')],
    [{ ...payment, latest_charge: null, data: [{ id: 7 }] }, () => one.reversalsOf('pi_1')],
    [{ data: [{ ...SESSION, id: '' }] }, () => one.checkoutOfPayment('pi_1')],
    [{ ...SESSION, amount_total: -1 }, () => one.checkout('cs_1')],
    [SESSION, () => one.checkout('cs_2')],
    [{ id: 'po_1', amount: null, currency: 'usd' }, () => one.payout('po_1')],
  ] as const) {
    unreadable(answer);
    await assert.rejects(call, unavailable, JSON.stringify(answer));
  }
  answerWith = (response) => response.end(session(''));
  assert.equal((await one.openCheckout(CHECKOUT)).sessionId, 'cs_1');
});
