import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChatroom, listChatMessages, sendChatMessage } from '../../../sdk/src/index.ts';
import type { Envelope } from '../../../test/support/answer.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';

const platform = await startPlatform({ LIVE_CONNECTIONS_PER_MEMBER: '3' });
const { url } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const ada = await platform.newMember();
const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
const newRoom = async (): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;
const UPGRADE =
  'GET /v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

test('a connection beyond the limit of a member replaces their oldest one', async () => {
  const ben = await platform.newMember();
  const first = await open(ben);
  const second = await open(ben);
  const third = await open(ben);
  const more = await open(ben);
  assert.deepEqual(await first.closing(), {
    code: 4410,
    reason: 'too many connections of this member',
  });
  for (const client of [second, third, more]) assert.equal((await client.ask({ type: 'ping' })).type, 'pong');
  assert.equal((await more.ask({ type: 'auth', token: ben.accessToken })).type, 'auth:success');
  assert.equal((await second.ask({ type: 'ping' })).type, 'pong', 'a renewed token is no new connection');
  const hers = await open(ada);
  assert.equal((await second.ask({ type: 'ping' })).type, 'pong', 'others have their own');
  for (const client of [second, third, more, hers]) client.close();
});

test('the connection limit holds for concurrent sign-ins', async () => {
  const ben = await platform.newMember();
  const clients = await Promise.all(Array.from({ length: 12 }, () => LiveClient.open(url)));
  for (const client of clients) client.send({ type: 'auth', token: ben.accessToken });
  await until(
    () => clients.filter(({ closed }) => closed?.code === 4410).length === 9,
    'the others are closed',
  );
  const left = clients.filter(({ closed }) => !closed);
  for (const client of left) assert.equal((await client.ask({ type: 'ping' })).type, 'pong');
  assert.equal(left.length, 3);
  for (const client of left) client.close();
});

test('a burst of a hundred messages is stored and acknowledged, and the next one refused with its requestId', async (t) => {
  stopClock(t, platform.clock);
  const ben = await platform.newMember();
  const room = await newRoom();
  const [one, two] = [await open(ben), await open(ben)];
  for (let number = 1; number <= 101; number++)
    (number % 2 ? one : two).send({ type: 'chat:send', chatroomId: room, message: 'on', requestId: number });
  const answers = () =>
    [...one.received, ...two.received].filter(({ requestId }) => typeof requestId === 'number');
  await until(() => answers().length >= 101, 'all the answers');
  const acknowledged = answers().filter(({ type }) => type === 'chat:ack');
  assert.equal(acknowledged.length, 100);
  const refused = answers().find(({ type }) => type === 'error');
  assert.ok(refused);
  assert.deepEqual([refused.data.code, typeof refused.requestId], ['MESSAGE_LIMIT_EXCEEDED', 'number']);
  const { retryAfter = 0 } = refused.data;
  assert.ok(retryAfter >= 1 && retryAfter <= 60);
  assert.equal(
    (await ada.client.call(listChatMessages, { params: { chatroomId: room } })).body.pagination.total,
    100,
  );
  const over = await ben.client.attempt(sendChatMessage, {
    params: { chatroomId: room },
    body: { message: 'over HTTP' },
  });
  assert.equal(over.body.error, 'MESSAGE_LIMIT_EXCEEDED');
  for (const client of [one, two]) client.close();
});

test('rate-limited messages are refused with their requestId, unchanged in type, without closing the connection', async (t) => {
  stopClock(t, platform.clock);
  const client = await open(ada);
  for (let number = 1; number <= 600; number++)
    client.send({ type: 'ping', requestId: number % 2 ? number : `${number}` });
  await until(() => client.received.length === 601, 'an answer to each');
  const [, ...answers] = client.received;
  const refused = answers.filter(({ type }) => type === 'error');
  assert.ok(refused.length > 0);
  for (const { data } of refused) {
    assert.deepEqual([data.code, data.retryAfter], ['RATE_LIMIT_EXCEEDED', 1]);
  }
  const ids = answers.map(({ requestId }) => requestId).sort((a, b) => Number(a) - Number(b));
  const sent = Array.from({ length: 600 }, (_, place) => (place % 2 ? `${place + 1}` : place + 1));
  assert.deepEqual(ids, sent);
  platform.clock.advance(1_000);
  assert.equal((await client.ask({ type: 'ping' })).type, 'pong', 'it lives');
  assert.equal(client.closed, undefined);
  client.close();
});

test('a connection has at most 128 subscriptions, and repeating one is not counted', async () => {
  const rows = await platform.database.all(
    `insert into chat.room (id, name, type, created_by, created_at, updated_at)
     select 'b' || lpad(to_hex(n), 23, '0'), 'no. ' || n, 'public', $1, now(), now()
     from generate_series(1, 128) n returning id`,
    [ada.id],
  );
  const rooms = rows.map(({ id }) => id as string);
  const [last] = rooms.splice(-1);
  const notifications = { type: 'subscribe', channel: 'notifications', userId: ada.id };
  for (let round = 0; round < 2; round++) {
    const client = await open(ada);
    client.send({ ...notifications, requestId: 'n' });
    for (const room of rooms)
      client.send({ type: 'subscribe', channel: 'chatroom', chatroomId: room, requestId: room });
    await until(() => client.all('subscribe:success').length === 128, 'all of them');
    assert.equal((await client.enter(last as string)).data.code, 'TOO_MANY_SUBSCRIPTIONS');
    assert.equal((await client.ask(notifications)).type, 'subscribe:success');
    assert.equal((await client.enter(rooms[0] as string)).type, 'subscribe:success');
    client.close();
  }
});

test('a channel must be a text, and a list that is too long is one fault', async () => {
  const client = await open(ada);
  const room = await newRoom();
  for (const channel of [['chatroom'], { chatroom: 1 }, 7, null]) {
    const { type, data } = await client.ask({ type: 'subscribe', channel, chatroomId: room });
    assert.deepEqual([type, data.code], ['subscribe:error', 'UNKNOWN_CHANNEL']);
  }
  const symbols = Array(30_000).fill(0);
  for (let number = 0; number < 10; number++) {
    const { data } = await client.ask({ type: 'subscribe', channel: 'market', symbols });
    assert.deepEqual(
      data.errors?.map(({ field }) => field),
      ['symbols'],
    );
  }
  client.send({ type: ['ping'], requestId: 7 });
  const { data } = await client.next(({ requestId }) => requestId === 7);
  assert.equal(data.code, 'INVALID_MESSAGE');
  client.close();
});

test('a plain request of the live channel is 426 in the envelope', async () => {
  const response = await fetch(`${url}/v1/live`);
  const { success, error, errorId } = (await response.json()) as Envelope;
  assert.deepEqual([response.status, success, error], [426, false, 'UPGRADE_REQUIRED']);
  assert.ok(errorId);
  assert.equal(response.headers.get('upgrade'), 'websocket');
  assert.equal((await fetch(`${url}/v1/live`, { method: 'POST' })).status, 405);
});

test('an unauthenticated connection beyond 200 of an address replaces the oldest', async (t) => {
  stopClock(t, platform.clock);
  const strangers: LiveClient[] = [];
  for (let number = 0; number < 201; number++) strangers.push(await LiveClient.open(url));
  const [first, second] = strangers;
  assert.equal((await first?.closing())?.code, 1013);
  const member = await open(ada);
  assert.equal((await second?.closing())?.code, 1013, 'a member is one of them until they sign in');
  assert.equal((await member.ask({ type: 'ping' })).type, 'pong');
  assert.equal(strangers.filter(({ closed }) => closed).length, 2);
  for (const client of [member, ...strangers]) client.close();
  await until(async () => (await platform.metric('live_connections')) === 0, 'all are gone');
});

test('unauthenticated and refused connections that do not close are cut off', async () => {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    ['/v1/live', '/v1/live', '/v1/nothing'].map(async (path, place) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      socket.on('error', () => undefined);
      socket.write(UPGRADE.replace('/v1/live', path));
      await once(socket, 'data');
      // Half of one: it says that it sends no more, and stays.
      if (place === 1) socket.end();
      return socket;
    }),
  );
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  const isEnded = Promise.all(sockets.map((socket) => once(socket, 'end')));
  for (const socket of sockets) socket.resume();
  await sleep(50);
  platform.clock.advance(11_000);
  await isEnded;
  await until(async () => (await platform.metric('live_connections')) === 0, 'nothing is held for them');
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
});
