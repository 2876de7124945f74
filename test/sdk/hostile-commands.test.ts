// What the live channel must stand: what the platform cannot accept, and a platform that has lost messages.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { clientOf, FakeSocket, failureOf, message, ok, WebSocket } from '../support/sdk-hosts.ts';

const platform = await startPlatform();
const { key: apiKey } = await platform.newKey('admin');

/** A member with a live channel, and whatever it was connected with. */
async function newMember(t: TestContext) {
  const sockets: globalThis.WebSocket[] = [];
  class Seen extends globalThis.WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const api = createClient({ baseUrl: platform.url, apiKey, WebSocket: Seen as never });
  await api.auth.signUp({
    email: newEmail(),
    password: PASSWORD,
    platform: 'web',
    firstName: 'Ada',
    lastName: 'L',
  });
  t.after(() => api.live().close());
  return { api, sockets };
}

test('what is too large for the platform is refused at once, and the connection goes on', async (t) => {
  const { api, sockets } = await newMember(t);
  const { id } = await api.chatrooms.create({ name: 'Gold', type: 'public' });
  const room = api.live().room(id);
  assert.equal((await failureOf(room.send('x'.repeat(70_000)))).code, 'INVALID_MESSAGE');
  // The longest message that a room takes passes, whatever its letters need.
  await room.send('\u{1d49c}'.repeat(1_000));
  await failureOf(room.send('x'.repeat(70_000)));
  assert.equal((await room.send('hello')).seq, 2);
  assert.equal(sockets.length, 1);
});

test('a refusal says what is wrong with which field, as over HTTP', async (t) => {
  const { api } = await newMember(t);
  const { id } = await api.chatrooms.create({ name: 'Gold', type: 'public' });
  const room = api.live().room(id);
  for (const text of ['', 'x'.repeat(5_000)]) {
    const overHttp = await failureOf(api.chatrooms.sendMessage(id, { message: text }));
    const { code, fields } = await failureOf(room.send(text));
    assert.equal(code, 'VALIDATION_FAILED');
    assert.deepEqual(fields, overHttp.fields);
    assert.equal(fields[0]?.field, 'message');
  }
  const elsewhere = await failureOf(api.live().room('0'.repeat(24)).send('hello'));
  assert.deepEqual([elsewhere.code, elsewhere.fields], ['NOT_FOUND', []]);
});

test('slow mode is told at once, holds up no later message, and says how long it lasts', async (t) => {
  const [{ api: owner }, { api: ada }] = [await newMember(t), await newMember(t)];
  const { id } = await owner.chatrooms.create({ name: 'Gold', type: 'public' });
  await owner.chatrooms.update(id, { slowModeSeconds: 3_600 });
  const room = ada.live().room(id);
  await room.send('one');
  const [second, third] = await Promise.all([failureOf(room.send('two')), failureOf(room.send('three'))]);
  for (const { code, retryAfter } of [second, third]) {
    assert.equal(code, 'SLOW_MODE');
    assert.ok(retryAfter && retryAfter > 3_000);
  }
});

test('a refusal because of a mute says until when it lasts, as over HTTP', async (t) => {
  const [{ api: owner }, { api: ada }] = [await newMember(t), await newMember(t)];
  const { id } = await owner.chatrooms.create({ name: 'Gold', type: 'public' });
  const { id: userId } = await ada.profile.get();
  await ada.chatrooms.join(id);
  const { mutedUntil } = await owner.chatrooms.muteMember(id, userId, { minutes: 5 });
  const overHttp = await failureOf(ada.chatrooms.sendMessage(id, { message: 'hello' }));
  const live = await failureOf(ada.live().room(id).send('hello'));
  for (const { code, meta } of [overHttp, live]) {
    assert.equal(code, 'MUTED');
    assert.equal(meta?.mutedUntil, mutedUntil);
  }
});

test('a message that has to wait is withdrawn when it is aborted, and the next one follows', async (t) => {
  FakeSocket.instances = [];
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  t.after(() => api.live().close());
  const room = api.live().room('room');
  const aborting = new AbortController();
  const first = room.send('one', { signal: aborting.signal });
  const second = room.send('two');
  const answer = async (text: string, type: string, data: object) => {
    const sent = () => FakeSocket.instances[0]?.sent.find(({ message }) => message === text);
    await until(() => sent() !== undefined, `that '${text}' is sent`);
    FakeSocket.instances[0]?.say({ type, requestId: sent()?.requestId, data });
  };
  await answer('one', 'error', { code: 'TOO_MANY_MESSAGES', message: 'Wait', retryAfter: 60 });
  aborting.abort(new Error('the member has left the page'));
  await assert.rejects(first, { message: 'the member has left the page' });
  await answer('two', 'chat:sent', { messageId: 'm2', seq: 1, timestamp: 'now' });
  assert.deepEqual(await second, { id: 'm2', seq: 1, createdAt: 'now' });
});

test('a subscription to prices that is refused does not end the others at a reconnect', async (t) => {
  const { api, sockets } = await newMember(t);
  const live = api.live();
  const refusals: string[] = [];
  live.on('subscribe:error', ({ code }) => refusals.push(code));
  const prices: string[] = [];
  live.on('market:price', ({ symbol }) => prices.push(symbol));
  live.watch(['btcusd']);
  for (let times = 0; times < 15; times++) live.watch([`no symbol ${times}`]);
  live.watch(['x'.repeat(70_000)]);
  await until(() => prices.includes('BTCUSD') && refusals.length === 15, 'the price and the refusal');
  prices.length = 0;
  sockets[0]?.close();
  await until(() => prices.includes('BTCUSD') && sockets.length === 2, 'the price after the reconnect');
  // Twenty in a minute would end the channel.
  assert.equal(refusals.length, 15);
});

test('watching symbols ends by the function that it returns, but not for who else watches them', async (t) => {
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  t.after(() => api.live().close());
  const [gold, both] = [api.live().watch(['GOLD']), api.live().watch(['gold', 'BTCUSD'])];
  for (let times = 0; times < 300; times++) api.live().watch(['EURUSD']);
  await until(() => api.live().state.name === 'live', 'the connection');
  const symbolsOf = (socket: FakeSocket, wanted: string) =>
    socket.sent.filter(({ type }) => type === wanted).map(({ symbols }) => String(symbols));
  const first = FakeSocket.instances.at(-1) as FakeSocket;
  assert.deepEqual(symbolsOf(first, 'subscribe'), ['GOLD', 'GOLD,BTCUSD', 'EURUSD']);
  gold();
  both();
  both();
  assert.deepEqual(symbolsOf(first, 'unsubscribe'), ['GOLD,BTCUSD']);
  first.disconnect();
  await until(
    () => FakeSocket.instances.at(-1) !== first && api.live().state.name === 'live',
    'the reconnect',
  );
  assert.deepEqual(symbolsOf(FakeSocket.instances.at(-1) as FakeSocket, 'subscribe'), ['EURUSD']);
});

test('messages without data, and without a type, are no fault', async (t) => {
  const { api, signIn } = clientOf({}, { WebSocket });
  await signIn();
  t.after(() => api.live().close());
  const heard: unknown[] = [];
  api.live().on('notification:new', (data) => heard.push(data));
  await until(() => api.live().state.name === 'live', 'the connection');
  const socket = FakeSocket.instances.at(-1) as FakeSocket;
  const requestId = socket.sent.find(({ type }) => type === 'subscribe')?.requestId;
  for (const type of ['auth:error', 'unsubscribed', 'auth:success', 'chat:message', 5, {}])
    socket.raw(JSON.stringify({ type, requestId, data: null }));
  socket.raw(JSON.stringify({ type: 'notification:new', data: { title: 'hello' } }));
  assert.deepEqual(heard, [{ title: 'hello' }]);
});

test('a room whose newest messages the platform has lost, as by a restore from a backup, goes on', async (t) => {
  const { api, signIn } = clientOf({ '/messages': () => ok([]) }, { WebSocket });
  await signIn();
  t.after(() => api.live().close());
  const room = api.live().room('room', { after: 100 });
  const heard: number[] = [];
  room.on('message', ({ seq }) => heard.push(seq));
  await until(() => room.seq === 0, 'the number that the platform says');
  for (const seq of [1, 2]) FakeSocket.instances.at(-1)?.say(message(seq));
  await until(() => heard.length === 2, 'the new messages');
  assert.deepEqual([heard, room.seq], [[1, 2], 2]);
});
