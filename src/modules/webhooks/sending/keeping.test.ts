import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getWebhookDelivery,
  listAudit,
  listWebhookDeliveries,
  replayWebhooks,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid } from '../../../../test/support/refused.ts';
import { endpointsOf } from '../../../../test/support/webhooks.ts';
import { MOST_COUNTED } from '../../../kernel/database/pagination.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform();
const { database } = platform;
let { admin } = platform;
const registered = endpointsOf(() => admin);
const runJob = (name: string) => platform.platform.runJob(name);
async function advance(days: number): Promise<void> {
  platform.clock.advance(days * DAY_MS);
  admin = await platform.signInAdmin();
}
const numberOf = (id: string) => database.count('select number from webhooks.endpoint where id = $1', [id]);
const rowsOf = (number: number) =>
  database.count('select count(*) from webhooks.delivery where endpoint = $1', [number]);

test('the newest twenty responses are stored, and an attempt without a response removes none of them', async () => {
  const { params, now, newest, remove } = await registered();
  let respond = (index: number) => index > 0;
  const seen: number[] = [];
  now.answer = (_got, response) => {
    seen.push(1);
    if (respond(seen.length)) response.writeHead(204).end();
    else response.destroy();
  };
  await admin.call(testWebhookEndpoint, { params });
  await until(async () => (await newest()).status === 'delivered', 'the first');
  const responses = async () => {
    const { id } = await newest();
    return (await admin.call(getWebhookDelivery, { params: { ...params, deliveryId: id } })).data.responses;
  };
  await database.execute(
    `update webhooks.delivery set responses = (
       select jsonb_agg(jsonb_build_object('at', '2026-01-01T00:00:00.000Z', 'status', 500 + n, 'ms', n, 'body', ''))
       from generate_series(1, 20) as n)
     where endpoint = $1`,
    [await numberOf(params.id)],
  );
  const again = () => admin.call(replayWebhooks, { params, body: { fromSequence: 1 } });
  respond = () => false;
  await again();
  await until(
    async () => (await newest()).attempts === 1 && (await newest()).lastError !== null,
    'no answer',
  );
  assert.deepEqual(
    (await responses()).map(({ status }) => status - 500),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
  respond = () => true;
  await again();
  await until(async () => (await newest()).status === 'delivered', 'an answer');
  const statuses = (await responses()).map(({ status }) => status);
  assert.deepEqual([statuses.length, statuses[0], statuses.at(-1)], [20, 502, 204]);
  await remove();
});

/** Creates a number of deliveries of one event for an endpoint. */
async function fill(number: number, count: number): Promise<void> {
  await database.execute(
    `with event as (
       insert into webhooks.event (id, type, happened_at, data) values ('${'a'.repeat(24)}', 'user.created', $3, '{}')
       returning position)
     insert into webhooks.delivery (endpoint, sequence, position, type, status, attempts, created_at)
     select $1, n, position, 'user.created', 'delivered', 1, $3 from event, generate_series(1, $2) as n`,
    [number, count, platform.clock.date()],
  );
  await database.execute('update webhooks.endpoint set last_sequence = $2 where number = $1', [
    number,
    count,
  ]);
}

test('a long replay is sent in portions and counted up to a limit, and the deliveries of a deleted endpoint are deleted', async () => {
  const { params, read, remove } = await registered({ enabled: false, types: ['trade.*'] });
  const number = await numberOf(params.id);
  const all = MOST_COUNTED + 300;
  await fill(number, all);
  const { data } = await admin.call(replayWebhooks, { params, body: { fromSequence: 1 } });
  assert.equal(data.events, MOST_COUNTED);
  const waiting = () =>
    database.count(`select count(*) from webhooks.delivery where endpoint = $1 and status = 'pending'`, [
      number,
    ]);
  await until(async () => (await waiting()) === all, 'all portions');
  assert.equal((await read()).pending, MOST_COUNTED);
  await remove();
  await until(async () => (await rowsOf(number)) === 0, 'the end of the deliveries');
});

test('operators hear once a week of deliveries that wait for a dead endpoint, before they are deleted', async () => {
  const { params, read, remove, url } = await registered({ types: ['user.created'] });
  const other = await registered({ types: ['user.created'] });
  await admin.call(updateWebhookEndpoint, { params, body: { enabled: false } });
  await platform.newMember();
  await until(async () => (await read()).pending === 1 && other.got.length === 1, 'the deliveries');
  const alerts = async () =>
    (await admin.call(listAudit, { query: { action: 'webhook.deliveries-expiring' } })).data;
  await advance(22);
  await runJob('webhooks.warn-of-expiry');
  assert.deepEqual(await alerts(), []);
  await advance(2);
  await runJob('webhooks.warn-of-expiry');
  await runJob('webhooks.warn-of-expiry');
  const [alert, ...more] = await alerts();
  assert.deepEqual([alert?.target, alert?.actor, more], [params.id, 'service:webhooks', []]);
  assert.match(JSON.stringify(alert), new RegExp(url));
  await advance(7);
  await runJob('webhooks.forget-old');
  assert.deepEqual([(await read()).pending, await rowsOf(await numberOf(params.id))], [0, 0]);
  // The numbers continue, so that the receiver sees the gap.
  await admin.call(updateWebhookEndpoint, { params, body: { enabled: true } });
  await admin.call(testWebhookEndpoint, { params });
  await until(async () => (await read()).lastSequence === 2, 'the next number');
  await remove();
  await other.remove();
});

test('an event whose transaction was open while a test was sent is delivered after it', async () => {
  const { params, got } = await registered({ types: ['user.created'] });
  const id = 'e'.repeat(24);
  await database.transaction(async (tx) => {
    await tx.execute(
      `insert into webhooks.event (id, type, happened_at, data) values ($1, 'user.created', $2, '{"userId": "early"}')`,
      [id, new Date(platform.clock.now())],
    );
    for (let sent = 1; sent <= 2; sent++) {
      await admin.call(testWebhookEndpoint, { params });
      await until(async () => got.length === sent, 'the test is sent');
    }
  });
  await until(async () => got.some(({ event }) => event.data.userId === 'early'), 'the event is sent, too');
  assert.deepEqual(
    got.map(({ event }) => event.type),
    ['webhook.test', 'webhook.test', 'user.created'],
  );
});

test('deliveries are listed by a type that exists', async () => {
  const { params } = await registered();
  assert.deepEqual(
    (await admin.call(listWebhookDeliveries, { params, query: { type: 'wallet.funded' } })).data,
    [],
  );
  assertInvalid(
    await admin.attempt(listWebhookDeliveries, { params, query: { type: 'wallet.found' } }),
    'type',
  );
});

test('saving an endpoint that is enabled already leaves since when it fails', async () => {
  const { params, now, read } = await registered({ types: ['user.created'] });
  now.answer = (_got, response) => void response.writeHead(500).end();
  await admin.call(testWebhookEndpoint, { params });
  await until(async () => (await read()).failingSince !== null, 'the failure');
  const { failingSince } = await read();
  const body = { enabled: true, description: 'Saved with all fields of its form' };
  const { data } = await admin.call(updateWebhookEndpoint, { params, body });
  assert.deepEqual([data.description, data.failingSince], [body.description, failingSince]);
});
