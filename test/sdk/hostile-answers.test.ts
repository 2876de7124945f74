// What a client must stand of servers: answers that are lost, strange, forged, or of a newer platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as sdk from '../../sdk/src/index.ts';
import { memoryStorage, type Storage } from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';
import {
  clientOf,
  FakeSocket,
  failureOf,
  message,
  ok,
  refused,
  signedInAs,
  tokenOf,
  WebSocket,
} from '../support/sdk-hosts.ts';

test('a write without an Idempotency-Key is sent once, also if the caller gives one', async () => {
  const { api, sent } = clientOf({ '/close': () => Promise.reject(new TypeError('reset')) });
  const error = await failureOf(api.trades.close('trade', { exitPrice: 1 }, { idempotencyKey: 'mine' }));
  assert.equal(sent.length, 1);
  assert.deepEqual([error.isOutcomeUnknown, error.idempotencyKey], [true, undefined]);
});

test('a repetition that is refused does not say that the first attempt had no effect', async () => {
  let calls = 0;
  const { api } = clientOf({
    '/chatrooms/room': () => {
      if (calls++ === 0) throw new TypeError('reset');
      return refused(404, 'CHATROOM_NOT_FOUND');
    },
  });
  const error = await failureOf(api.raw(sdk.deleteChatroom, { params: { chatroomId: 'room' } }));
  assert.deepEqual([error.code, error.isOutcomeUnknown], ['CHATROOM_NOT_FOUND', true]);
});

test('a transfer is not repeated as another member who has signed in meanwhile', async () => {
  const storage = memoryStorage();
  const names = ['ada', 'bob'];
  const senders: (string | undefined)[] = [];
  const { api, signIn } = clientOf(
    {
      '/signin': () => ok(signedInAs(names.shift() as string)),
      '/transfer': async ({ headers }) => {
        senders.push(headers.Authorization);
        await signIn();
        return refused(401, 'TOKEN_EXPIRED');
      },
    },
    { storage },
  );
  await signIn();
  await failureOf(api.wallet.transfer({ toUserId: 'a', amount: 1 }));
  assert.deepEqual(senders, [`Bearer ${tokenOf('ada')}`]);
});

test('a transfer that only its refresh failed has not happened, and keeps its key', async () => {
  const { api, signIn } = clientOf(
    {
      '/transfer': () => refused(401, 'TOKEN_EXPIRED'),
      '/refresh-token': () => Promise.reject(new TypeError('offline')),
    },
    { retries: 0 },
  );
  await signIn();
  const call = api.wallet.transfer({ toUserId: 'a', amount: 1 });
  const error = await failureOf(call);
  assert.deepEqual(
    [error.kind, error.operation, error.isOutcomeUnknown, error.idempotencyKey],
    ['offline', 'transferKeys', false, call.idempotencyKey],
  );
});

test('neither a client nor its failures show keys and tokens to a log', async () => {
  const { api, signIn } = clientOf(
    {
      '/profile': ({ headers }) =>
        Promise.reject(Object.assign(new Error('as libraries do'), { config: { headers } })),
    },
    { retries: 0 },
  );
  await signIn();
  const error = await failureOf(api.profile.get());
  assert.ok(!JSON.stringify(error).includes(tokenOf('ada')));
  assert.match(String((error.cause as Error).message), /as libraries do/);
  const shown = inspect(api, { depth: 9 });
  assert.ok(!shown.includes('secret-key') && !shown.includes('ada-refresh'));
});

test('no request follows a redirect or leaves its path', async () => {
  const { api, sent } = clientOf({ '/profile': () => ok({ id: 'a' }) });
  await api.profile.get();
  assert.equal(sent[0]?.redirect, 'error');
  for (const id of ['..', '.', ''])
    await assert.rejects(async () => api.courses.get(id), /is no id/, `'${id}'`);
  assert.equal(sent.length, 1);
});

test('a response that is not JSON, or is empty, is not taken for one of the platform', async () => {
  const answers = [
    () => new Response(''),
    () => new Response('null'),
    () => new Response('<html>', { status: 403 }),
    () => Response.json([{ error: 1 }], { status: 400 }),
  ];
  const { api } = clientOf({ '/profile': () => (answers.shift() as () => Response)() }, { retries: 0 });
  for (let left = answers.length; left > 0; left--)
    assert.equal((await failureOf(api.profile.get())).kind, 'unreadable');
});

test('a call that is aborted while it waits for another attempt sends nothing more', async () => {
  const controller = new AbortController();
  const { api, sent } = clientOf({
    '/profile': () => {
      setTimeout(() => controller.abort(new Error('changed my mind')), 5);
      const headers = { 'retry-after': '5' };
      return Response.json({ success: false, error: 'RATE_LIMITED' }, { status: 429, headers });
    },
  });
  await assert.rejects(api.profile.get({ signal: controller.signal }), /changed my mind/);
  await assert.rejects(api.profile.get({ signal: controller.signal }), /changed my mind/);
  assert.equal(sent.length, 1);
});

test('an intent is not sent unless its key is kept, and a refusal is reported although the storage fails', async () => {
  const kept = memoryStorage();
  let writes = 0;
  const storage: Storage = {
    get: kept.get,
    set: (key, value) => {
      if (writes++ !== 1) throw new Error('QuotaExceededError');
      return kept.set(key, value);
    },
  };
  const { api, sent } = clientOf({ '/transfer': () => refused(402, 'INSUFFICIENT_BALANCE') }, { storage });
  const pay = () => sdk.once(api, 'rent', (key) => api.wallet.transfer({ toUserId: 'a', amount: 1 }, key));
  await assert.rejects(pay(), /Quota/);
  assert.equal(sent.length, 0);
  assert.equal((await failureOf(pay())).code, 'INSUFFICIENT_BALANCE');
});

test('an intent that a wrong clock has noted is looked up, not repeated', async (t) => {
  const { api, sent } = clientOf({ '/transfer': () => ok({ transaction: {} }) });
  const pay = () => sdk.once(api, 'rent', (key) => api.wallet.transfer({ toUserId: 'a', amount: 1 }, key));
  const { now } = Date;
  t.after(() => Object.assign(Date, { now }));
  Date.now = () => now() + 48 * 3_600_000;
  await pay();
  Date.now = now;
  assert.equal((await failureOf(pay())).code, 'INTENT_EXPIRED');
  assert.equal(sent.length, 1);
});

test('a link of a video is renewed by the clock of the platform', async (t) => {
  let links = 0;
  const timestamp = '2026-01-01T00:00:00.000Z';
  const expiresAt = '2026-01-01T00:20:00.000Z';
  const { api } = clientOf({
    '/video-status': () => ok({ videoUrl: `link ${++links}`, expiresAt }, { meta: { timestamp } }),
  });
  const { now } = Date;
  t.after(() => Object.assign(Date, { now }));
  Date.now = () => Date.parse('2020-01-01T00:00:00.000Z');
  const player = sdk.playerOf(api, 'lesson');
  assert.equal(await player.url(), 'link 1');
  assert.equal(await player.url(), 'link 2', 'twenty minutes are less than half an hour');
});

/** A socket that a test speaks for. */

test('a newer platform, with more fields, values, codes and messages, is no fault', async (t) => {
  const { api, signIn } = clientOf(
    {
      '/profile': () => ok({ id: 'a', mood: 'new' }, { trace: { id: 't' } }),
      '/transactions': () =>
        ok([{ transactionId: 'txn_1', type: 'barter', status: 'pondering', more: [{}] }], {
          pagination: { page: 1, limit: 20, total: 1, pages: 1, cursor: 'new' },
        }),
      '/messages': () => ok([], { pagination: { page: 1, limit: 100, total: 0, pages: 0 } }),
      '/transfer': () => refused(418, 'A_NEW_CODE'),
    },
    { WebSocket },
  );
  await signIn();
  assert.deepEqual(await api.profile.get(), { id: 'a', mood: 'new' });
  const statuses: string[] = [];
  for await (const { status } of api.wallet.listTransactions()) statuses.push(status);
  assert.deepEqual(statuses, ['pondering']);
  const error = await failureOf(api.wallet.transfer({ toUserId: 'a', amount: 1 }));
  assert.deepEqual([error.kind, error.code, error.isOutcomeUnknown], ['refused', 'A_NEW_CODE', false]);
  t.after(() => api.live().close());
  const room = api.live().room('room', { after: 0 });
  const heard: unknown[] = [];
  room.on('message', ({ seq, message: text }) => heard.push([seq, text]));
  await until(() => api.live().state.name === 'live', 'the connection');
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  await until(() => socket.sent.some(({ type }) => type === 'subscribe'), 'the subscription');
  socket.say({ type: 'weather', data: { sky: 'blue' }, priority: 1 });
  socket.say({ type: 'heartbeat' });
  socket.say({ type: 'chat:pinned', seq: 1, data: { chatroomId: 'room', messageId: 'm0' } });
  socket.say({ ...message(2), data: { ...message(2).data, reactions: { heart: 2 } }, shard: 4 });
  socket.say(message(3));
  await until(() => heard.length === 2, 'both messages');
  assert.deepEqual(heard, [
    [2, 'no. 2'],
    [3, 'no. 3'],
  ]);
  assert.equal(room.seq, 3);
});
