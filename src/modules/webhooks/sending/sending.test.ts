import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listAudit,
  listEvents,
  listWebhookEndpoints,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  verifyWebhook,
} from '../../../../sdk/src/index.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { stopClock } from '../../../../test/support/stopped-clock.ts';
import { endpointsOf, type ReceivedRequest } from '../../../../test/support/webhooks.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import {
  endpointDisabled,
  endpointLimit,
  endpointNotFound,
  secretJustReplaced,
} from '../endpoints/endpoints.ts';
import { askedMs, PAUSES_MS } from './attempts.ts';

const platform = await startPlatform();
const { database } = platform;
let { admin } = platform;

const registered = endpointsOf(() => admin);
const sequences = (got: ReceivedRequest[]) => got.map(({ event }) => event.sequence);
const members = (count: number) => Promise.all(Array.from({ length: count }, () => platform.newMember()));

test('an endpoint receives events numbered from 1 and signed according to Standard Webhooks', async () => {
  const endpoint = await registered({ types: ['user.created'] });
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual([endpoint.lastSequence, endpoint.types, endpoint.enabled], [0, ['user.created'], true]);
  const [member] = await members(3);
  await until(async () => endpoint.got.length === 3, 'three deliveries');
  assert.deepEqual(sequences(endpoint.got).sort(), [1, 2, 3]);
  for (const { headers, body, event } of endpoint.got) {
    // The independent implementation on npm.
    new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['content-type'], 'application/json');
    assert.match(headers['user-agent'] ?? '', /^platform-api\/\d/);
    assert.equal(headers['webhook-replay'], undefined);
    assert.deepEqual(Object.keys(event), ['type', 'timestamp', 'data', 'id', 'sequence']);
  }
  assert.ok(endpoint.got.some(({ event }) => event.data.userId === member?.id));
  await until(async () => (await endpoint.newest()).status === 'delivered', 'the record');
  const { id, responseStatus, attempts } = await endpoint.newest();
  assert.deepEqual([responseStatus, attempts], [204, 1]);
  const { data } = await admin.call(getWebhookDelivery, { params: { ...endpoint.params, deliveryId: id } });
  assert.equal(data.body, endpoint.got.find(({ event }) => event.sequence === 3)?.body);
  assert.deepEqual(
    data.responses.map(({ status }) => status),
    [204],
  );
  const { pending, failed, lastDeliveredAt } = await endpoint.read();
  assert.deepEqual([pending, failed, lastDeliveredAt !== null], [0, 0, true]);
  const feed = (await platform.client.call(listEvents, { query: { limit: 500 } })).data.map((one) => one.id);
  for (const { event } of endpoint.got) assert.ok(feed.includes(event.id));
  assert.doesNotMatch(JSON.stringify((await admin.call(listWebhookEndpoints)).data), /whsec_/);
  await endpoint.remove();
  assertRefused(await admin.attempt(getWebhookEndpoint, { params: endpoint.params }), endpointNotFound);
});

test('a refused delivery is retried later and does not delay others', async (t) => {
  stopClock(t, platform.clock);
  const endpoint = await registered({ types: ['user.created'] });
  endpoint.now.answer = ({ event }, response) =>
    void response.writeHead(event.sequence === 1 ? 500 : 200).end('nothing\u0000');
  await members(1);
  await until(async () => (await endpoint.newest())?.attempts === 1, 'the first attempt');
  await members(2);
  await until(async () => endpoint.got.length >= 3, 'the others');
  const first = async () => (await endpoint.deliveries()).find(({ sequence }) => sequence === 1);
  const { lastError, status, nextAttemptAt } = (await first()) as NonNullable<
    Awaited<ReturnType<typeof first>>
  >;
  assert.deepEqual([lastError, status], ['answered 500', 'pending']);
  const inMs = Date.parse(String(nextAttemptAt)) - platform.clock.now();
  assert.ok(inMs <= 6 * SECOND_MS, `${inMs}`);
  const enable = (enabled: boolean) =>
    admin.call(updateWebhookEndpoint, { params: endpoint.params, body: { enabled } });
  await enable(false);
  const waiting = await first();
  assert.deepEqual(
    [waiting?.status, waiting?.nextAttemptAt],
    ['pending', null],
    'nothing is tried meanwhile',
  );
  const deliveryId = waiting?.id ?? '';
  const { data } = await admin.call(getWebhookDelivery, { params: { ...endpoint.params, deliveryId } });
  assert.equal(data.nextAttemptAt, null);
  await enable(true);
  assert.equal((await first())?.nextAttemptAt, nextAttemptAt);
  for (const [attempt, pauseMs] of PAUSES_MS.entries()) {
    await until(async () => (await first())?.attempts === attempt + 1, `attempt ${attempt + 1}`);
    platform.clock.advance(pauseMs * 1.2 + SECOND_MS);
    admin = await platform.signInAdmin();
  }
  await until(async () => (await first())?.status === 'failed', 'the end');
  assert.equal((await first())?.attempts, 10);
  await endpoint.remove();
});

test('an ordered endpoint gets one after the other, also while one is refused', async (t) => {
  stopClock(t, platform.clock);
  const endpoint = await registered({ types: ['user.created'], ordered: true });
  let refusals = 2;
  endpoint.now.answer = ({ event }, response) =>
    void response.writeHead(event.sequence === 2 && refusals-- > 0 ? 503 : 200).end();
  await members(5);
  for (let again = 0; again < 2; again++) {
    await until(
      async () =>
        (await endpoint.deliveries()).some((one) => one.sequence === 2 && one.attempts === again + 1),
      'a refusal',
    );
    assert.ok(!sequences(endpoint.got).includes(3));
    platform.clock.advance(40 * SECOND_MS);
  }
  await until(async () => endpoint.got.length === 7, 'all');
  assert.deepEqual(sequences(endpoint.got), [1, 2, 2, 2, 3, 4, 5]);
  assert.equal(endpoint.now.most, 1);
  await endpoint.remove();
});

test('at most eight are under way, in the order of their numbers, and one that hangs holds up no other endpoint', async () => {
  const [hanging, other] = [await registered({ types: ['user.*'] }), await registered({ types: ['user.*'] })];
  hanging.now.answer = () => undefined;
  await members(12);
  await until(async () => other.got.length === 12 && hanging.got.length === 8, 'the deliveries');
  assert.equal(hanging.now.most, 8);
  assert.deepEqual(sequences(hanging.got).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
  await hanging.remove();
  await other.remove();
});

test('a disabled endpoint is sent nothing and misses nothing; 410 disables, and so do five days without success', async () => {
  const endpoint = await registered({ types: ['user.created'], enabled: false });
  await members(2);
  await until(async () => (await endpoint.read()).pending === 2, 'the deliveries');
  assertRefused(await admin.attempt(testWebhookEndpoint, { params: endpoint.params }), endpointDisabled);
  assert.equal(endpoint.got.length, 0);
  const enable = () =>
    admin.call(updateWebhookEndpoint, { params: endpoint.params, body: { enabled: true } });
  await enable();
  await until(async () => endpoint.got.length === 2, 'both');
  endpoint.now.answer = (_got, response) => void response.writeHead(410).end();
  await members(1);
  await until(async () => !(await endpoint.read()).enabled, 'the end');
  assert.match((await endpoint.read()).disabledReason ?? '', /410/);
  endpoint.now.answer = (_got, response) => void response.writeHead(302, { location: endpoint.url }).end();
  const { data } = await enable();
  assert.deepEqual([data.disabledReason, data.failingSince], [null, null]);
  platform.clock.advance(HOUR_MS);
  admin = await platform.signInAdmin();
  await until(async () => (await endpoint.read()).failingSince !== null, 'the failure');
  assert.match((await endpoint.newest()).lastError ?? '', /redirect/);
  platform.clock.advance(5 * DAY_MS + HOUR_MS);
  admin = await platform.signInAdmin();
  await until(async () => !(await endpoint.read()).enabled, 'giving up');
  const audit = await admin.call(listAudit, { query: { action: 'webhook.endpoint-disabled' } });
  assert.equal(audit.data.length, 2);
  await endpoint.remove();
});

test('a test goes to one endpoint whatever its types, takes the next number and is not in the feed', async () => {
  const endpoint = await registered({ types: ['trade.*'] });
  const { data, status } = await admin.call(testWebhookEndpoint, { params: endpoint.params });
  assert.equal(status, 202);
  await until(async () => endpoint.got.length === 1, 'the test');
  assert.deepEqual(endpoint.got[0]?.event, {
    ...endpoint.got[0]?.event,
    id: data.eventId,
    type: 'webhook.test',
    data: {},
    sequence: 1,
  });
  const feed = await platform.client.call(listEvents, { query: { limit: 500 } });
  assert.ok(!feed.data.some(({ id }) => id === data.eventId));
  await endpoint.remove();
});

test('a replay sends the same again, marked; rotation signs with the two newest secrets', async () => {
  const endpoint = await registered({ types: ['user.created'] });
  const { params } = endpoint;
  await members(4);
  await until(
    async () => (await endpoint.deliveries()).filter((one) => one.status === 'delivered').length === 4,
    'all',
  );
  const before = endpoint.got.slice();
  const { data: first } = await admin.call(rotateWebhookSecret, { params });
  assertRefused(await admin.attempt(rotateWebhookSecret, { params }), secretJustReplaced);
  platform.clock.advance(10 * SECOND_MS);
  const { data: second } = await admin.call(rotateWebhookSecret, { params });
  const { data } = await admin.call(replayWebhooks, { params, body: { fromSequence: 3 } });
  assert.equal(data.events, 2);
  await until(async () => endpoint.got.length === 6, 'the replay');
  for (const { headers, body, event } of endpoint.got.slice(4)) {
    assert.equal(headers['webhook-replay'], 'true');
    assert.equal(body, before.find((one) => one.event.sequence === event.sequence)?.body);
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2);
    const given = headers as Record<string, string>;
    for (const { secret } of [first, second]) await verifyWebhook(body, given, secret, platform.clock.now());
    await assert.rejects(verifyWebhook(body, given, endpoint.secret, platform.clock.now()));
  }
  const replay = (body: object) => admin.raw('POST', `/v1/webhook-endpoints/${endpoint.id}/replay`, body);
  const past = new Date(platform.clock.now() - HOUR_MS).toISOString();
  assert.deepEqual((await replay({ fromSequence: 99 })).data, { events: 0 });
  for (const body of [
    {},
    { fromSequence: 1, since: past },
    { fromSequence: 0 },
    { since: past, until: '2020-01-01' },
  ])
    assert.equal((await replay(body)).status, 422, JSON.stringify(body));
  await endpoint.remove();
});

test('addresses and types that must not be are refused, in every spelling', async () => {
  const attempt = (body: { url: string; types?: string[] }) => admin.attempt(createWebhookEndpoint, { body });
  for (const url of [
    ...[
      'http://10.0.0.1',
      'http://192.168.1.1/x',
      'http://169.254.169.254/latest',
      'http://[fd00:ec2::254]/',
    ],
    ...['http://0x0a000001', 'http://167772161', 'http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::a9fe:a9fe]/'],
    ...[
      'http://0.0.0.0',
      'http://[::]/',
      'http://[fe80::1]/',
      'http://100.100.100.200',
      'http://168.63.129.16',
    ],
    ...[
      'http://user:password@example.com',
      'http://example.com/#x',
      'http://example.com/#',
      'ftp://example.com',
    ],
    ...[
      'nonsense',
      '//example.com',
      'http://',
      'http://[2002:a00:1::]/',
      'file:///etc/passwd',
      'http://255.255.255.255',
    ],
  ])
    assertInvalid(await attempt({ url }), url);
  for (const types of [[], ['nothing'], ['nothing.*'], ['wallet*'], ['*.created'], ['']])
    assertInvalid(await attempt({ url: 'https://hooks.invalid/', types }), types.join());
  const { data } = await admin.call(createWebhookEndpoint, { body: { url: 'https://hooks.invalid/x' } });
  assert.deepEqual(data.types, ['*']);
  await admin.call(deleteWebhookEndpoint, { params: { id: data.id } });
});

test('there are at most twenty endpoints, also when many are registered at once, and a repetition gets its secret', async () => {
  const body = { url: 'https://hooks.invalid/', enabled: false };
  const keyed = admin.with({ 'idempotency-key': 'a-key-for-webhooks' });
  const one = await keyed.call(createWebhookEndpoint, { body });
  const again = await keyed.call(createWebhookEndpoint, { body });
  assert.deepEqual(again.data, one.data);
  const kept = await database.first<{ answer: object }>(
    `select answer from kernel.idempotency_key where key = 'a-key-for-webhooks'`,
  );
  assert.deepEqual(Object.keys(kept?.answer ?? {}), ['sealed']);
  const results = await Promise.all(
    Array.from({ length: 24 }, () => untilAvailable(() => admin.attempt(createWebhookEndpoint, { body }))),
  );
  const refused = results.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 5);
  for (const answer of refused) assertRefused(answer, endpointLimit);
  for (const { id } of (await admin.call(listWebhookEndpoints)).data)
    await admin.call(deleteWebhookEndpoint, { params: { id } });
});

test('Retry-After counts as seconds or a date, at most a day', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(askedMs('120', nowMs), 120_000);
  assert.equal(askedMs('Thu, 01 Jan 2026 00:01:00 GMT', nowMs), 60_000);
  for (const text of ['9999999', '9'.repeat(30), '9'.repeat(400)]) assert.equal(askedMs(text, nowMs), DAY_MS);
  for (const text of [undefined, '', 'soon', '-5', '1e3', 'Thu, 01 Jan 2020 00:01:00 GMT'])
    assert.equal(askedMs(text, nowMs), 0, text);
});
