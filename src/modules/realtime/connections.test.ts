import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import {
  createChatroom,
  getChatroom,
  getMember,
  listChatMessages,
  refreshToken,
  sendChatMessage,
  signOut,
} from '../../../sdk/src/index.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { messageSent } from '../chat/chat.live.ts';

const platform = await startPlatform({ LIVE_CONNECTIONS: '40' });
const { url } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const ada = await platform.newMember();

const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
async function newRoom(
  type: 'public' | 'private' | 'group' = 'public',
  { client }: Member = ada,
): Promise<string> {
  return (await client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;
}

test('malformed messages are answered, and repeated ones close the connection', async () => {
  const client = await open(ada);
  const cases: [string, string][] = [
    ['{', 'INVALID_MESSAGE'],
    ['[]', 'INVALID_MESSAGE'],
    ['"text"', 'INVALID_MESSAGE'],
    ['{"type":7}', 'INVALID_MESSAGE'],
    ['{"type":"chat:send","message":"\\u0000"}', 'UNSAFE_TEXT'],
    ['{"type":"dance"}', 'UNKNOWN_TYPE'],
    ['{"type":"__proto__"}', 'UNKNOWN_TYPE'],
    ['{"type":"subscribe"}', 'VALIDATION_FAILED'],
    ['{"type":"subscribe","channel":"gossip"}', 'UNKNOWN_CHANNEL'],
    ['{"type":"subscribe","channel":"chatroom"}', 'VALIDATION_FAILED'],
    ['{"type":"subscribe","channel":"market","symbols":["a b"]}', 'VALIDATION_FAILED'],
    ['{"type":"chat:send","chatroomId":"x","message":""}', 'VALIDATION_FAILED'],
  ];
  for (const [place, [text, code]] of cases.entries()) {
    client.socket.send(text);
    await until(() => client.received.length === place + 2, 'an answer');
    assert.equal(client.received.at(-1)?.data.code, code, text);
  }
  const { errors = [] } = client.received.at(-1)?.data ?? {};
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['chatroomId', 'message'],
  );
  client.socket.send(new Uint8Array([1, 2, 3]));
  await client.next(({ data }) => data.code === 'INVALID_MESSAGE');
  assert.equal((await client.ask({ type: 'ping' })).type, 'pong', 'it lives');
  for (let number = 0; number < 10; number++) client.socket.send('nonsense');
  assert.equal((await client.closing()).code, 4429);
});

test('a text message that is not UTF-8 ends the connection', async () => {
  const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/v1/live`);
  await once(socket, 'open');
  socket.send(Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), { binary: false });
  const [code] = await once(socket, 'close');
  assert.equal(code, 1007);
});

test('messages of more than 64 KB end the connection', async () => {
  const client = await open(ada);
  client.socket.send(JSON.stringify({ type: 'ping', filler: 'x'.repeat(65_000) }));
  assert.equal((await client.next(({ type }) => type === 'pong')).type, 'pong');
  client.socket.send(JSON.stringify({ type: 'ping', filler: 'x'.repeat(66_000) }));
  assert.equal((await client.closing()).code, 1009);
});

test('signing out closes the connection at once', async () => {
  const gus = await platform.newMember();
  const room = await newRoom();
  const client = await open(gus);
  await client.enter(room);
  await gus.client.call(signOut);
  client.send({ type: 'chat:send', chatroomId: room, message: 'still here?' });
  assert.deepEqual(await client.closing(), { code: 4401, reason: 'the session has ended' });
  assert.deepEqual((await ada.client.call(listChatMessages, { params: { chatroomId: room } })).data, []);
});

test('connections end without authentication, after silence and with an expired token, which can be renewed', async () => {
  const hal = await platform.newMember();
  const issuedAtMs = platform.clock.now();
  const [stranger, silent, renewed] = [await LiveClient.open(url), await open(hal), await open(hal)];
  // The clock runs on by itself: each step leaves half a minute of it to a busy machine.
  const passTo = async (age: number) => {
    for (let left = Number.POSITIVE_INFINITY; left > 0; ) {
      left = issuedAtMs + age * 1000 - platform.clock.now();
      platform.clock.advance(Math.max(0, Math.min(27_000, left)));
      for (const client of [silent, renewed]) await client.ask({ type: 'ping' });
    }
  };
  platform.clock.advance(11_000);
  assert.equal((await stranger.closing()).code, 4408);
  await passTo(845);
  const warned = await renewed.next(({ type }) => type === 'auth:expiring');
  assert.ok(Date.parse(warned.data.expiresAt) - platform.clock.now() < 60_000);
  const { data } = await platform.client.call(refreshToken, { body: { refreshToken: hal.refreshToken } });
  assert.equal((await renewed.ask({ type: 'auth', token: data.accessToken })).type, 'auth:success');
  await passTo(905);
  const refused = await silent.ask({ type: 'subscribe', channel: 'notifications', userId: hal.id });
  assert.equal(refused.data.code, 'TOKEN_EXPIRED');
  platform.clock.advance(30_000);
  assert.deepEqual(await silent.closing(), { code: 4401, reason: 'the token has expired' });
  assert.equal((await renewed.ask({ type: 'ping' })).type, 'pong');
  platform.clock.advance(61_000);
  assert.equal((await renewed.closing()).code, 4408);
});

test('a clock that is set back or forward neither closes connections nor holds up what they send', async () => {
  const [ivy, joe] = [await platform.newMember(), await platform.newMember()];
  const [hers, his] = [await open(ivy), await open(joe)];
  const room = await newRoom('public', ivy);
  for (const client of [hers, his]) await client.enter(room);
  const talks = async (text: string) => {
    const sent = await hers.ask({ type: 'chat:send', chatroomId: room, message: text });
    assert.equal(sent.type, 'chat:ack');
    assert.equal((await his.ask({ type: 'ping' })).type, 'pong');
  };
  platform.clock.step(-HOUR_MS);
  await talks('an hour earlier');
  platform.clock.step(HOUR_MS + 14.5 * MINUTE_MS);
  // That its token is about to expire is found with the silence of a connection, in one pass.
  for (const client of [hers, his]) await client.next(({ type }) => type === 'auth:expiring');
  await talks('a quarter of an hour later');
  platform.clock.step(-14.5 * MINUTE_MS);
  for (const client of [hers, his]) client.close();
});

test('a connection cannot change to another member', async () => {
  const [ivy, joe] = [await platform.newMember(), await platform.newMember()];
  const client = await open(ivy);
  assert.equal((await client.ask({ type: 'auth', token: ivy.accessToken })).type, 'auth:success');
  client.send({ type: 'auth', token: joe.accessToken });
  assert.equal((await client.closing()).code, 4409);
});

test('what follows a refused auth is not carried out for the member who was signed in before', async () => {
  const [ivy, joe] = [await platform.newMember(), await platform.newMember()];
  const chatroomId = await newRoom('public', ivy);
  for (const token of [joe.accessToken, 'no token']) {
    const client = await open(ivy);
    client.send({ type: 'chat:send', chatroomId, message: `of Ivy before ${token.length}` });
    client.send({ type: 'auth', token });
    client.send({ type: 'chat:send', chatroomId, message: 'of Joe' });
    await client.closing();
    await ivy.client.call(sendChatMessage, { params: { chatroomId }, body: { message: 'of Ivy after' } });
    const { data } = await ivy.client.call(listChatMessages, { params: { chatroomId } });
    assert.ok(data.some(({ message }) => message === `of Ivy before ${token.length}`));
    assert.ok(!data.some(({ message }) => message === 'of Joe'));
  }
});

test('upgrades of other paths are 404, and requests that offer HTTP/2 are answered normally', async () => {
  const { hostname, port } = new URL(url);
  const raw = async (path: string, headers: string) => {
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return String(chunk).split('\r\n', 1)[0];
  };
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  for (const path of ['/v1/wallets', '//', '/\\', 'http://[', '*'])
    assert.equal(await raw(path, upgrade), 'HTTP/1.1 404 Not Found', path);
  assert.equal(await raw('/v1/live', upgrade), 'HTTP/1.1 101 Switching Protocols');
  assert.equal(
    await raw(
      '/health/live',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n',
    ),
    'HTTP/1.1 200 OK',
  );
});

test('a client that does not read is dropped without affecting others', async () => {
  const [kim, lea] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom('public', lea);
  const reader = await open(lea);
  await reader.enter(room);
  const { hostname, port } = new URL(url);
  const stuck = connect(Number(port), hostname);
  stuck.write(
    'GET /v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(stuck, 'data');
  const frame = (message: object): Buffer => {
    const payload = Buffer.from(JSON.stringify(message));
    const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
    return Buffer.concat([header, payload]);
  };
  stuck.write(frame({ type: 'auth', token: kim.accessToken }));
  stuck.write(frame({ type: 'subscribe', channel: 'chatroom', chatroomId: room }));
  await until(
    async () => (await lea.client.call(getChatroom, { params: { chatroomId: room } })).data.activeNow === 2,
    'it is there',
  );
  stuck.pause();
  const ended = new Promise((resolve) => stuck.once('close', resolve));
  stuck.on('error', () => undefined);
  const { data: member } = await lea.client.call(getMember, { params: { id: lea.id } });
  const user = { ...member, firstName: 'Lea', lastName: '', rankBadgeUrl: null };
  const filler = {
    chatroomId: room,
    messageId: lea.id,
    userId: lea.id,
    user,
    message: 'x'.repeat(60_000),
    timestamp: new Date(),
  };
  const { send } = platform.platform.live;
  let told = 0;
  const dropped = async () => (await platform.metric('live_slow_total')) > 0;
  for (; !(await dropped()) && told < 2_000; told++) {
    await send(`live:room:${room}`, [messageSent(filler, told + 1)]);
    await new Promise(setImmediate);
  }
  assert.ok(await dropped(), 'it is dropped');
  await until(() => reader.all('chat:message').length === told, 'the others have all of it');
  stuck.resume();
  await ended;
  reader.close();
});

test('a process at its connection limit refuses another with 1013', async () => {
  const clients: LiveClient[] = [];
  await until(async () => (await platform.metric('live_connections')) === 0, 'the others are gone');
  // Signed in, for a busy machine needs longer than strangers may stay.
  for (let some = 0; some < 4; some++) {
    const member = await platform.newMember();
    for (let number = 0; number < 10; number++) clients.push(await open(member));
  }
  const more = await LiveClient.open(url);
  assert.equal((await more.closing()).code, 1013);
  clients[0]?.close();
  await until(async () => (await platform.metric('live_connections')) === 39, 'room for one');
  const next = await open(await platform.newMember());
  for (const client of [...clients, next]) client.close();
});
