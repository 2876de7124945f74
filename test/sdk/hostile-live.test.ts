// What the live channel must stand: sockets that cannot be made, frames that are no messages, listeners that throw.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type * as sdk from '../../sdk/src/index.ts';
import { memoryStorage } from '../../sdk/src/index.ts';
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
  without,
} from '../support/sdk-hosts.ts';

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

test('where there is no WebSocket the channel ends and says so, as in Node 20', async () => {
  await without(globalThis, 'WebSocket', async () => {
    const { api, signIn } = clientOf({});
    await signIn();
    const { message } = await failureOf(api.live().room('room').send('hello'));
    assert.match(message, /no WebSocket was given/);
  });
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
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  socket.raw('{ cut');
  socket.raw('null');
  socket.say(message(1));
  await until(() => heard.length === 1, 'the message');
  await until(() => uncaught.includes('of a message') && uncaught.includes('of a state'), 'the faults');
});

test('a client that leaves a room while a gap is filled receives nothing more until it enters again', async (t) => {
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
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
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

test('a connection does not come back as another member who has signed in meanwhile', async () => {
  const storage = memoryStorage();
  const one = clientOf({}, { storage, WebSocket });
  const other = clientOf({ '/signin': () => ok(signedInAs('bob')) }, { storage });
  await one.signIn();
  const live = one.api.live();
  const heard: string[] = [];
  const room = live.room('room', { after: 0 });
  room.on('message', ({ message: text }) => heard.push(text));
  await until(() => live.state.name === 'live', 'the connection');
  const sending = failureOf(room.send('as ada'));
  await other.signIn();
  const made = FakeSocket.instances.length;
  (FakeSocket.instances.at(-1) as FakeSocket).disconnect();
  await until(() => live.state.name === 'ended', 'the end');
  assert.equal((await sending).code, 'SIGNED_OUT');
  assert.equal(FakeSocket.instances.length, made, 'nothing was opened');
  // What the program asks now is asked by bob, who has asked for no room.
  live.reconnect();
  await until(() => live.state.name === 'live', 'the connection of bob');
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  assert.deepEqual(
    socket.sent.filter(({ type }) => type !== 'ping'),
    [{ type: 'auth', token: tokenOf('bob') }],
  );
  socket.say(message(1));
  live.close();
  assert.deepEqual(heard, []);
});

test('a program that comes back asks a connection that looks open for a sign of life', async (t) => {
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  const live = api.live();
  live.reconnect();
  await until(() => live.state.name === 'live', 'the connection');
  t.after(() => live.close());
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  const { setTimeout: inTime } = globalThis;
  const soon = (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
    inTime(work, ms === 5_000 ? 5 : ms, ...given);
  t.after(() => Object.assign(globalThis, { setTimeout: inTime }));
  Object.assign(globalThis, { setTimeout: soon });
  const pings = socket.sent.filter(({ type }) => type === 'ping').length;
  live.reconnect();
  assert.equal(socket.sent.filter(({ type }) => type === 'ping').length, pings + 1);
  await until(() => live.state.name === 'waiting', 'the end, since there was none');
});

test('listeners of one member receive nothing of the next member, and nothing twice', async (t) => {
  const { api, signIn } = clientOf({ '/signout': () => ok({}) }, { WebSocket });
  const heard: string[] = [];
  const listen = async (name: string) => {
    await signIn();
    api.live().on('notification:new', () => heard.push(name));
    await until(() => api.live().state.name === 'live', 'the connection');
  };
  t.after(() => api.live().close());
  await listen('ada');
  await api.signOut();
  await listen('bob');
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  const channels = socket.sent.filter(({ type }) => type === 'subscribe').map(({ channel }) => channel);
  assert.deepEqual(channels, ['notifications']);
  socket.say({ type: 'notification:new', data: { title: 'hello' } });
  await until(() => heard.length > 0, 'the notification');
  assert.deepEqual(heard, ['bob']);
});

test('listening only for mutes subscribes to the channel that announces them', async (t) => {
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  t.after(() => api.live().close());
  api.live().on('member:muted', () => undefined);
  await until(() => api.live().state.name === 'live', 'the connection');
  const { sent } = FakeSocket.instances.at(-1) as FakeSocket;
  assert.deepEqual(
    sent.filter(({ type }) => type === 'subscribe').map(({ channel }) => channel),
    ['notifications'],
  );
});

test('closing ends iterations without an error, and rejects pending messages', async () => {
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  const room = api.live().room('room', { after: 0 });
  const events: string[] = [];
  const iteration = (async () => {
    for await (const { type } of room) events.push(type);
  })();
  await until(() => events.length === 1, 'the subscription');
  const sending = failureOf(room.send('hello'));
  api.live().close();
  await iteration;
  assert.deepEqual([(await sending).code, (await sending).kind], ['LIVE_ENDED', 'client']);
  assert.deepEqual(api.live().state, { name: 'ended', reason: 'closed' });
});

/** A member with a live connection whose platform accepts certain tokens only; refreshing gives `ada-1`, `ada-2` and so on. */
async function renewing(t: TestContext, accepts: (token: unknown) => boolean, failures: Response[] = []) {
  const { setTimeout: inTime } = globalThis;
  t.after(() => Object.assign(globalThis, { setTimeout: inTime }));
  // The pauses of the channel pass quickly; whatever else runs in this process keeps its time.
  const soon = (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
    const isOfChannel = ms < 30_000 && new Error().stack?.includes('/live/connection.ts');
    return inTime(work, isOfChannel ? ms / 100 : ms, ...given);
  };
  Object.assign(globalThis, { setTimeout: soon });
  class Choosy extends FakeSocket {
    override send(text: string): void {
      const { type, token } = JSON.parse(text);
      if (type !== 'auth' || accepts(token)) super.send(text);
      else {
        this.say({ type: 'auth:error', data: { code: 'TOKEN_EXPIRED', message: 'expired' } });
        setTimeout(() => this.disconnect(4401), 0);
      }
    }
  }
  let refreshes = 0;
  const refresh = () => failures.shift() ?? ok(signedInAs(`ada-${++refreshes}`));
  const { api, signIn } = clientOf(
    { '/refresh-token': refresh },
    { WebSocket: Choosy as unknown as sdk.SocketMaker, retries: 0 },
  );
  await signIn();
  t.after(() => api.live().close());
  const states: string[] = [];
  api.live().onState(({ name }) => states.push(name));
  return { live: api.live(), states, socket: () => FakeSocket.instances.at(-1) as FakeSocket };
}
const lastAuth = ({ sent }: FakeSocket) => sent.findLast(({ type }) => type === 'auth')?.token;

test('a token that is about to expire is replaced at once, however young it is', async (t) => {
  const { live, socket, states } = await renewing(t, () => true);
  live.reconnect();
  await until(() => live.state.name === 'live', 'the connection');
  socket().say({ type: 'auth:expiring', data: { expiresAt: 'soon' } });
  await until(() => lastAuth(socket()) === tokenOf('ada-1'), 'a new token');
  assert.deepEqual(states, ['connecting', 'live', 'live']);
});

test('a refused token that cannot be replaced yet, or whose successor is refused, too, is replaced after a pause', async (t) => {
  const failures = [refused(503, 'SERVICE_UNAVAILABLE')];
  const { live, states, socket } = await renewing(t, (token) => token === tokenOf('ada-3'), failures);
  live.reconnect();
  await until(() => live.state.name === 'live', 'the connection');
  assert.equal(lastAuth(socket()), tokenOf('ada-3'));
  assert.ok(states.includes('waiting') && !states.includes('ended'), String(states));
});

test('after five refusals in a row the channel waits, and a refusal to refresh ends it', async (t) => {
  const { live } = await renewing(t, () => false);
  live.reconnect();
  await until(() => live.state.name === 'offline', 'the end of the attempts');
  const { live: other } = await renewing(t, () => false, [refused(403, 'ACCOUNT_INACTIVE')]);
  other.reconnect();
  await until(() => other.state.name === 'ended', 'the end');
});

test('a page of a proxy in place of a refresh ends nothing, and a token that is refused is not sent again', async (t) => {
  const page = () => new Response('<html>', { status: 403 });
  const { live, states, socket } = await renewing(t, () => true, [page(), page()]);
  live.reconnect();
  await until(() => live.state.name === 'live', 'the connection');
  const first = socket();
  first.say({ type: 'auth:expiring', data: { expiresAt: 'soon' } });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(first.sent.filter(({ type }) => type === 'auth').length, 1);
  first.disconnect(4401);
  await until(() => lastAuth(socket()) === tokenOf('ada-1'), 'a new token');
  await until(() => live.state.name === 'live', 'the connection');
  assert.ok(states.includes('waiting') && !states.includes('ended'), String(states));
});
