import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUser, listEvents, transferKeys, updateUser } from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { authenticationRequired, invalidToken } from '../../../kernel/operations/access.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import { waitingMetric } from '../sending/sending.metrics.ts';
import { sendingStore } from '../sending/sending.store.ts';
import { cursorExpired } from './feed.ts';

const platform = await startPlatform();
const { client, database } = platform;

type Events = Awaited<ReturnType<typeof read>>['data'];
const read = (query: { after?: string; types?: string; limit?: number } = {}) =>
  client.call(listEvents, { query });
const isAbout =
  (id: string) =>
  ({ data }: Events[number]): boolean =>
    JSON.stringify(data).includes(id);

/** Waits until the feed has so many events about something. */
async function eventsAbout(id: string, count: number): Promise<Events> {
  let found: Events = [];
  await until(async () => {
    found = [];
    for (let after: string | undefined; ; ) {
      const { data, body } = await read({ limit: 500, ...(after && { after }) });
      found.push(...data.filter(isAbout(id)));
      if (body.pagination.nextCursor === null) break;
      after = body.pagination.nextCursor;
    }
    return found.length >= count;
  }, `${count} events about ${id}`);
  return found;
}

test('the feed lists events in the order in which they happened, with the ids of the API', async () => {
  const [payer, payee] = [await platform.newMemberWith(100), await platform.newMemberWith(1)];
  const { data: transfer } = await payer.client.call(transferKeys, {
    body: { toUserId: payee.id, amount: 7, description: 'for Ada Lovelace' },
  });
  await platform.admin.call(updateUser, { params: { userId: payer.id }, body: { firstName: 'Xanthippe' } });
  await platform.admin.call(deleteUser, {
    params: { userId: payer.id },
    body: { remainingKeys: 'forfeit' },
  });
  const events = await eventsAbout(payer.id, 6);
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'user.created',
      'wallet.funded',
      'wallet.transferred',
      'user.updated',
      'wallet.refunded',
      'user.deleted',
    ],
  );
  const [, , transferred, updated] = events;
  assert.deepEqual(transferred?.data, {
    transactionId: transfer.transaction.transactionId,
    amount: 7,
    fromUserId: payer.id,
    toUserId: payee.id,
    gift: false,
  });
  assert.deepEqual(updated?.data, { userId: payer.id, permissions: [], isActive: true });
  for (const { id, timestamp } of events) {
    assert.match(id, /^evt_[0-9a-f]{24}$/);
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
  }
  assert.doesNotMatch(JSON.stringify(events), /Xanthippe|Lovelace|@/);
  // The deletion is published a second time to the modules, but it happened once.
  assert.equal(new Set(events.map(({ id }) => id)).size, 6);
});

test('pages follow each other by their cursors without gaps, and an empty one has none', async () => {
  const { id } = await platform.newMember();
  await eventsAbout(id, 1);
  const whole = (await read({ limit: 500 })).data;
  const seen: Events = [];
  let after: string | undefined;
  for (;;) {
    const { data, body } = await read({ limit: 3, ...(after && { after }) });
    seen.push(...data);
    if (data.length === 0) {
      assert.equal(body.pagination.nextCursor, null);
      break;
    }
    assert.notEqual(body.pagination.nextCursor, null);
    after = body.pagination.nextCursor as string;
  }
  assert.deepEqual(seen, whole);
  const next = await platform.newMember();
  await eventsAbout(next.id, 1);
  const { data } = await read({ after: after as string });
  assert.deepEqual(
    data.map(({ type }) => type),
    ['user.created'],
  );
});

test('each page tells its limit, lowered to the maximum', async () => {
  for (const [query, limit] of [
    [{ limit: 3 }, 3],
    [{}, 100],
    [{ limit: 501 }, 500],
  ] as const) {
    const { body } = await read(query);
    assert.equal(body.pagination.limit, limit);
  }
});

test('types choose by name, by prefix and together; one that does not exist is refused', async () => {
  const { id } = await platform.newMemberWith(3);
  await eventsAbout(id, 2);
  const typesOf = async (types: string) => [
    ...new Set((await read({ types, limit: 500 })).data.map(({ type }) => type)),
  ];
  assert.deepEqual(await typesOf('user.created'), ['user.created']);
  assert.ok((await typesOf('wallet.*')).every((type) => type.startsWith('wallet.')));
  assert.deepEqual((await typesOf('wallet.funded, user.created')).sort(), ['user.created', 'wallet.funded']);
  assert.deepEqual(await typesOf('webhook.test'), []);
  assert.deepEqual(await typesOf('*'), await typesOf('user.*,wallet.*,*'));
  for (const types of ['wallets.*', 'user.created,', 'wallet*', '.*', 'user.Created', ',', '*.created'])
    assertInvalid(await client.attempt(listEvents, { query: { types } }), 'types');
  assertInvalid(await client.attempt(listEvents, { query: { types: '' } }), 'types');
});

test('a cursor that was not given out is refused, and one older than 30 days has expired', async () => {
  const { id } = await platform.newMember();
  await eventsAbout(id, 1);
  const { body } = await read({ limit: 500 });
  const cursor = body.pagination.nextCursor as string;
  const seconds = cursor.split('-')[1];
  for (const after of [
    '',
    'x',
    '-',
    '0-1',
    `-1-${seconds}`,
    `1_${seconds}`,
    'zzzzzzzzzz-zzzzzzz',
    `${cursor} `,
    `${cursor}\u0000`,
  ])
    assert.ok([400, 422].includes((await client.attempt(listEvents, { query: { after } })).status), after);
  platform.clock.advance(30 * DAY_MS + MINUTE_MS);
  assertRefused(await client.attempt(listEvents, { query: { after: cursor } }), cursorExpired);
  assert.ok(
    (await read()).data.length > 0,
    'without a cursor the feed begins with the oldest event that is kept',
  );
  await platform.platform.runJob('webhooks.forget-old');
  assert.deepEqual((await read()).data, []);
});

test('administrators read it with any key, and members with none', async () => {
  const admin = await platform.signInAdmin();
  const { key } = await platform.newKey('mobile');
  const member = await platform.newMember();
  assert.equal((await admin.with({ 'x-api-key': key }).attempt(listEvents)).status, 200);
  assertRefused(await member.client.attempt(listEvents), insufficientPermissions);
  assertRefused(await client.with({ 'x-api-key': key }).attempt(listEvents), authenticationRequired);
  assertRefused(await client.as('nonsense').attempt(listEvents), invalidToken);
});

test('nothing is given out behind an event that no program can read yet', async () => {
  const before = await platform.newMember();
  await eventsAbout(before.id, 1);
  const insert = (event: object) =>
    database.execute(
      `insert into kernel.outbox (event, events) values ('identity.user-deleted', json_build_array($1::json))`,
      [JSON.stringify(event)],
    );
  const [id, userId] = ['a'.repeat(24), 'b'.repeat(24)];
  const occurredAt = new Date(platform.clock.now() - HOUR_MS).toISOString();
  const waitedSeconds = async () =>
    Number(await waitingMetric(sendingStore(database), platform.clock).read());
  const waiting = () => database.count('select count(*) from webhooks.event where type is null');
  // An event of a later version, as a newer program would have published it.
  await insert({ id, name: 'identity.user-deleted', version: 7, occurredAt, data: { userId } });
  await until(async () => (await waiting()) === 1, 'the unreadable event');
  const after = await platform.newMember();
  const last = 'select count(*) from webhooks.event where data::text like $1';
  await until(async () => (await database.count(last, [`%${after.id}%`])) === 1, 'the event behind it');
  assert.ok(!(await read({ limit: 500 })).data.some(isAbout(after.id)));
  assert.ok(!(await read({ limit: 500, types: 'user.*' })).data.some(isAbout(after.id)));
  await platform.platform.runJob('webhooks.read-again');
  assert.equal(await waiting(), 1);
  assert.ok((await waitedSeconds()) >= 3_600, 'operators learn of it');
  // The newer program starts.
  await database.execute(
    `update webhooks.event set unread = jsonb_set(unread::jsonb, '{version}', '1')::json where type is null`,
  );
  await platform.platform.runJob('webhooks.read-again');
  const feed = (await read({ limit: 500 })).data;
  assert.ok(feed.findIndex(isAbout(userId)) < feed.findIndex(isAbout(after.id)));
  assert.ok(feed.some(isAbout(userId)));
  assert.equal(await waitedSeconds(), 0);
});
