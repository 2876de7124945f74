// What a client must stand: answers of strangers, storages and listeners that throw, and several clients on one storage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as sdk from '../../sdk/src/index.ts';
import { type ClientOptions, createClient, memoryStorage, type Storage } from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  redirect?: string;
}
type Reply = (sent: Sent) => Response | Promise<Response>;

const ok = (data: unknown, more: object = {}) =>
  Response.json({
    success: true,
    message: 'OK',
    data,
    meta: { timestamp: new Date().toISOString() },
    ...more,
  });
const refused = (status: number, error: string) =>
  Response.json({ success: false, status, message: error, error, errorId: 'e', meta: {} }, { status });

/** A token that is valid for fifteen minutes from its own beginning. */
const tokenOf = (name: string, iat = 0) =>
  `${name}.${Buffer.from(JSON.stringify({ iat, exp: iat + 900 })).toString('base64url')}.s`;

const signedInAs = (name: string) => ({ accessToken: tokenOf(name), refreshToken: `${name}-refresh` });

/** Answers by the end of the path; what nobody answers is a fault of the test. */
function serverOf(replies: Record<string, Reply>) {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: object): Promise<Response> => {
    const one = { url, ...init } as Sent;
    sent.push(one);
    const reply = Object.entries(replies).find(([end]) => new URL(url).pathname.endsWith(end))?.[1];
    assert.ok(reply, `nobody answers ${url}`);
    return reply(one);
  };
  return { sent, fetch };
}

const clientOf = (replies: Record<string, Reply>, more: Partial<ClientOptions> = {}) => {
  const { sent, fetch } = serverOf({ '/signin': () => ok(signedInAs('ada')), ...replies });
  const options = { baseUrl: 'http://platform.test', apiKey: 'secret-key', fetch, ...more };
  const api = createClient(options);
  const signIn = () => api.auth.signIn({ email: 'a@b.c', password: 'p', platform: 'web' });
  return { api, sent, options, signIn };
};

const failureOf = async (call: PromiseLike<unknown>): Promise<sdk.PlatformError> => {
  const failure = await Promise.resolve(call).then(
    () => assert.fail('it succeeded'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof sdk.PlatformError, String(failure));
  return failure;
};

/** A storage that answers only after a while, as that of a phone does. */
function slowStorage(): Storage {
  const kept = memoryStorage();
  const later = () => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    get: async (key) => later().then(() => kept.get(key)),
    set: async (key, value) => later().then(() => kept.set(key, value)),
  };
}

/** Runs work without what the host offers at one place. */
async function without(place: object, name: string, work: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(place, name);
  Object.defineProperty(place, name, { value: undefined, configurable: true, writable: true });
  try {
    await work();
  } finally {
    if (own) Object.defineProperty(place, name, own);
    else Reflect.deleteProperty(place, name);
  }
}

test('a write without an Idempotency-Key is sent once, also if the caller gives one', async () => {
  const { api, sent } = clientOf({ '/messages': () => Promise.reject(new TypeError('reset')) });
  const error = await failureOf(
    api.chatrooms.sendMessage('room', { message: 'hello' }, { idempotencyKey: 'mine' }),
  );
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

test('a wrong API key does not sign members out', async () => {
  const reasons: string[] = [];
  const { api, signIn } = clientOf(
    {
      '/profile': () => refused(401, 'TOKEN_EXPIRED'),
      '/refresh-token': () => refused(401, 'INVALID_API_KEY'),
    },
    { onSignedOut: (reason) => reasons.push(reason) },
  );
  await signIn();
  const error = await failureOf(api.profile.get());
  assert.deepEqual([error.code, error.operation], ['INVALID_API_KEY', 'getProfile']);
  assert.equal(await api.session.token(), tokenOf('ada'));
  assert.deepEqual(reasons, []);
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

test('two clients on one storage refresh once, also without navigator.locks', () =>
  without(navigator, 'locks', async () => {
    const storage = slowStorage();
    let token = 'ada';
    let refreshes = 0;
    const replies: Record<string, Reply> = {
      '/profile': ({ headers }) =>
        headers.Authorization === `Bearer ${tokenOf('ada')}`
          ? refused(401, 'TOKEN_EXPIRED')
          : ok({ id: 'a' }),
      '/refresh-token': ({ body }) => {
        refreshes++;
        if (!body?.includes(`"${token}-refresh"`)) return refused(401, 'INVALID_REFRESH_TOKEN');
        token = 'ada2';
        return ok(signedInAs(token));
      },
    };
    const [one, other] = [clientOf(replies, { storage }), clientOf(replies, { storage })];
    await one.signIn();
    await Promise.all([one.api.profile.get(), other.api.profile.get(), one.api.profile.get()]);
    assert.equal(refreshes, 1);
  }));

test('the end of a session is told once, although the storage is slow and the listener throws and signs out', async (t) => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  t.after(() => {
    process.removeAllListeners('uncaughtException');
    for (const one of before) process.on('uncaughtException', one);
  });
  const reasons: string[] = [];
  const { api, signIn } = clientOf(
    { '/profile': () => refused(401, 'INVALID_TOKEN') },
    {
      storage: slowStorage(),
      onSignedOut: (reason) => {
        reasons.push(reason);
        void api.signOut();
        throw new Error('a fault of the program');
      },
    },
  );
  await signIn();
  const errors = await Promise.all([failureOf(api.profile.get()), failureOf(api.profile.get())]);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['INVALID_TOKEN', 'INVALID_TOKEN'],
  );
  await until(() => uncaught.length > 0, 'the fault being reported');
  assert.deepEqual(reasons, ['session-ended']);
});

test('a storage that cannot forget, or holds nonsense, keeps nobody signed in', async () => {
  const kept = memoryStorage();
  let isFull = false;
  const storage: Storage = {
    get: kept.get,
    set: (key, value) => {
      if (isFull) throw new Error('QuotaExceededError');
      return kept.set(key, value);
    },
  };
  const reasons: string[] = [];
  const { api, sent, signIn } = clientOf(
    { '/signout': () => ok({}), '/profile': () => ok({ id: 'a' }) },
    { storage, onSignedOut: (reason) => reasons.push(reason) },
  );
  await signIn();
  isFull = true;
  await assert.rejects(api.signOut(), /Quota/);
  assert.deepEqual(reasons, ['signed-out']);
  await api.profile.get();
  assert.equal(sent.at(-1)?.headers.Authorization, undefined);
  kept.set('tokens', '{ cut');
  await api.profile.get();
  assert.equal(sent.at(-1)?.headers.Authorization, undefined);
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

test('an empty answer is a success, and what is no JSON is none of the platform', async () => {
  const answers = [
    () => new Response(null, { status: 204 }),
    () => new Response('null'),
    () => new Response('<html>', { status: 403 }),
    () => Response.json([{ error: 1 }], { status: 400 }),
  ];
  const { api } = clientOf({ '/profile': () => (answers.shift() as () => Response)() }, { retries: 0 });
  assert.equal(await api.profile.get(), null);
  for (let left = 3; left > 0; left--) assert.equal((await failureOf(api.profile.get())).kind, 'unreadable');
});

test('a call that is aborted while it waits for another attempt sends nothing more', async () => {
  const controller = new AbortController();
  const { api, sent } = clientOf({
    '/profile': () => {
      setTimeout(() => controller.abort(new Error('changed my mind')), 5);
      return Response.json(
        { success: false, error: 'RATE_LIMITED', meta: { retryAfter: 50 } },
        { status: 429 },
      );
    },
  });
  await assert.rejects(api.profile.get({ signal: controller.signal }), /changed my mind/);
  await assert.rejects(api.profile.get({ signal: controller.signal }), /changed my mind/);
  assert.equal(sent.length, 1);
});

test('an intent is not sent unless its key is kept, and a refusal is told although the storage fails', async () => {
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
class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen: unknown = null;
  onmessage: unknown = null;
  onclose: unknown = null;
  onerror: unknown = null;
  constructor() {
    FakeSocket.made.push(this);
    setTimeout(() => (this.onopen as (() => void) | null)?.(), 0);
  }
  send(text: string): void {
    const message = JSON.parse(text);
    this.sent.push(message);
    if (message.type === 'auth') this.say({ type: 'auth:success', data: { userId: 'u' } });
    if (message.type === 'subscribe')
      this.say({
        type: 'subscribed',
        requestId: message.requestId,
        data: { chatroomId: message.chatroomId, seq: 0, memberCount: 1, activeNow: 1, more: true },
      });
  }
  say(message: object): void {
    setTimeout(
      () => (this.onmessage as ((event: object) => void) | null)?.({ data: JSON.stringify(message) }),
      0,
    );
  }
  raw(data: string): void {
    (this.onmessage as ((event: object) => void) | null)?.({ data });
  }
  close(): void {
    this.readyState = 3;
  }
}

const message = (seq: number) => ({
  type: 'chat:message',
  seq,
  data: { chatroomId: 'room', messageId: `m${seq}`, userId: 'u', message: `no. ${seq}`, timestamp: 'now' },
});
const WebSocket = FakeSocket as unknown as sdk.SocketMaker;

test('a WebSocket that cannot be made ends the channel with its reason', async () => {
  class Impossible {
    constructor() {
      throw new SyntaxError('not here');
    }
  }
  const { api, signIn } = clientOf({}, { WebSocket: Impossible as unknown as sdk.SocketMaker });
  await signIn();
  const sending = failureOf(api.live().room('room').send('hello'));
  await until(() => api.live().state.name === 'ended', 'the end');
  assert.match((await sending).message, /not here/);
});

test('a listener that throws and a frame that is no message stop nothing', async (t) => {
  const uncaught: string[] = [];
  const before = process.listeners('uncaughtException');
  process
    .removeAllListeners('uncaughtException')
    .on('uncaughtException', ({ message: text }) => void uncaught.push(text));
  t.after(() => {
    process.removeAllListeners('uncaughtException');
    for (const one of before) process.on('uncaughtException', one);
  });
  const { api, signIn } = clientOf(
    { '/messages': () => ok([], { pagination: { page: 1, limit: 100 } }) },
    { WebSocket },
  );
  await signIn();
  t.after(() => api.live().close());
  const stop = api.live().onState(() => {
    stop();
    throw new Error('of a state');
  });
  const room = api.live().room('room');
  const heard: string[] = [];
  room.on('message', () => {
    throw new Error('of a message');
  });
  room.on('message', ({ message: text }) => heard.push(text));
  await until(() => api.live().state.name === 'live', 'the connection');
  const socket = FakeSocket.made.at(-1) as FakeSocket;
  socket.raw('{ cut');
  socket.raw('null');
  socket.say(message(1));
  await until(() => heard.length === 1, 'the message');
  await until(() => uncaught.includes('of a message') && uncaught.includes('of a state'), 'the faults');
});

test('who leaves a room while its gap is filled hears nothing more, and hears anew after coming back', async (t) => {
  let release: () => void = () => undefined;
  let isAsked = false;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { api, signIn } = clientOf(
    {
      '/messages': async () => {
        isAsked = true;
        await held;
        const missed = { id: 'm1', seq: 1, userId: 'u', message: 'missed', createdAt: 'now', editedAt: null };
        return ok([missed], { pagination: { page: 1, limit: 100, total: 1, pages: 1 } });
      },
    },
    { WebSocket },
  );
  await signIn();
  t.after(() => api.live().close());
  const room = api.live().room('room', { after: 0 });
  const events: string[] = [];
  room.on('entered', ({ type }) => events.push(type));
  room.on('gap', ({ type }) => events.push(type));
  room.on('message', ({ type }) => events.push(type));
  await until(() => events.length === 1, 'the subscription');
  const socket = FakeSocket.made.at(-1) as FakeSocket;
  socket.say(message(2));
  await until(() => isAsked, 'the gap');
  room.leave();
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(events, ['entered']);
  const again: string[] = [];
  room.on('entered', () => again.push('entered'));
  room.on('message', ({ message: text }) => again.push(text));
  await until(() => again.length === 1, 'the new subscription');
  socket.say(message(3));
  await until(() => again.includes('no. 3'), 'a message after coming back');
});

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
  const socket = FakeSocket.made.at(-1) as FakeSocket;
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
