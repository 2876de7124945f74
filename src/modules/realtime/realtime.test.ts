import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Loose } from '../../../test/support/client.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LIVE_CONNECTIONS: '40' });
const { admin, url } = platform;
const ROOMS = '/v1/chatrooms';
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
async function newRoom(type = 'public', { client }: Member = ada): Promise<string> {
  return (await client.post(ROOMS, { name: 'Gold', type })).data.id;
}
const enter = (client: LiveClient, chatroomId: string, more: object = {}) =>
  client.ask({ type: 'subscribe', channel: 'chatroom', chatroomId, ...more });
const say = (client: LiveClient, chatroomId: string, message: string, more: object = {}) =>
  client.ask({ type: 'chat:send', chatroomId, message, ...more });
const heard = (client: LiveClient): string[] =>
  client.all('chat:message').map(({ data }: Loose) => data.message);

test('auth: by a message, with a good token; a bad one ends it', async () => {
  const client = await LiveClient.open(url);
  const early = await client.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id });
  assert.deepEqual([early.type, early.data.code], ['subscribe:error', 'AUTHENTICATION_REQUIRED']);
  const { type, data, requestId } = await client.ask({ type: 'auth', token: ada.accessToken });
  assert.deepEqual([type, data.userId, requestId], ['auth:success', ada.id, 'r2']);
  assert.ok(Date.parse(data.expiresAt) > Date.now());
  client.close();
  const stranger = await LiveClient.open(url);
  stranger.send({ type: 'auth', token: 'nonsense', requestId: 'x' });
  const refused = await stranger.next((one) => one.type === 'auth:error');
  assert.deepEqual([refused.data.code, refused.requestId], ['INVALID_TOKEN', 'x']);
  assert.equal((await stranger.closing()).code, 4401);
});

test('two members talk: each hears exactly what the specification says, and the sender is acknowledged', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  const entered = await enter(hers, room);
  assert.equal(entered.type, 'subscribe:success');
  assert.deepEqual(entered.data, {
    ...{ channel: 'chatroom', chatroomId: room, seq: 0, memberCount: 1, activeNow: 1 },
  });
  assert.equal((await enter(his, room)).data.activeNow, 2);
  const online = await hers.next(({ type, data }) => type === 'user:online' && data.userId === ben.id);
  assert.deepEqual(online, { type: 'user:online', data: { userId: ben.id, status: 'online' } });
  const ack = await say(his, room, 'Gold breaks out!');
  assert.equal(ack.type, 'chat:ack');
  const { messageId, timestamp } = ack.data;
  assert.deepEqual(ack.data, { chatroomId: room, messageId, seq: 1, timestamp, duplicate: false });
  const message = {
    type: 'chat:message',
    data: { chatroomId: room, messageId, userId: ben.id, message: 'Gold breaks out!', timestamp },
    seq: 1,
  };
  for (const client of [hers, his])
    assert.deepEqual(await client.next(({ type }) => type === 'chat:message'), message);
  const { data } = await ada.client.get(`${ROOMS}/${room}/messages`);
  assert.deepEqual([data[0].id, data[0].createdAt], [messageId, timestamp]);
  assert.equal((await ada.client.get(`${ROOMS}/${room}`)).data.activeNow, 2);

  await ada.client.post(`${ROOMS}/${room}/messages`, { message: 'over HTTP' });
  await his.next(({ data }) => data.message === 'over HTTP');
  await ben.client.put(`${ROOMS}/${room}/messages/${messageId}`, { message: 'Gold!' });
  const updated = await hers.next(({ type }) => type === 'chat:updated');
  assert.deepEqual([updated.data.messageId, updated.data.message, updated.seq], [messageId, 'Gold!', 3]);
  await ben.client.delete(`${ROOMS}/${room}/messages/${messageId}`);
  const deleted = await hers.next(({ type }) => type === 'chat:deleted');
  assert.deepEqual(deleted, { type: 'chat:deleted', data: { chatroomId: room, messageId }, seq: 4 });

  his.send({ type: 'chat:typing', chatroomId: room });
  const typing = await hers.next(({ type }) => type === 'chat:typing');
  assert.deepEqual(typing.data, { chatroomId: room, userId: ben.id });

  assert.equal(
    (await his.ask({ type: 'unsubscribe', channel: 'chatroom', chatroomId: room })).type,
    'unsubscribe:success',
  );
  await say(hers, room, 'gone?');
  await sleep(50);
  assert.ok(!heard(his).includes('gone?'));
  const offline = await hers.next(({ type, data }) => type === 'user:online' && data.status === 'offline');
  assert.equal(offline.data.userId, ben.id);
  for (const client of [hers, his]) client.close();
});

test('rooms are for those who may read them; whoever is put out hears nothing more', async () => {
  const room = await newRoom('private');
  const his = await open(ben);
  const refused = await enter(his, room);
  assert.deepEqual([refused.type, refused.data.code], ['subscribe:error', 'NOT_A_MEMBER']);
  assert.deepEqual((await say(his, room, 'hello?')).data.code, 'NOT_A_MEMBER');
  assert.equal((await enter(his, 'f'.repeat(24))).data.code, 'NOT_FOUND');
  await ada.client.post(`${ROOMS}/${room}/members`, { userId: ben.id });
  assert.equal((await enter(his, room)).type, 'subscribe:success');
  await ada.client.post(`${ROOMS}/${room}/messages`, { message: 'welcome' });
  await his.next(({ data }) => data.message === 'welcome');
  await ada.client.delete(`${ROOMS}/${room}/members/${ben.id}`);
  const out = await his.next(({ type }) => type === 'unsubscribed');
  assert.deepEqual(out.data, { channel: 'chatroom', chatroomId: room, reason: 'REMOVED' });
  await ada.client.post(`${ROOMS}/${room}/messages`, { message: 'now we talk' });
  await sleep(100);
  assert.deepEqual(heard(his), ['welcome']);
  his.close();
});

test('coming and going at once: whoever is in hears, whoever is out does not', async () => {
  const rooms = [await newRoom(), await newRoom('private', ben)];
  const clients = await Promise.all(Array.from({ length: 8 }, () => open(ada)));
  const [room, closed] = rooms as [string, string];
  for (let round = 0; round < 15; round++) {
    await Promise.all(
      clients.map(async (client, place) => {
        assert.equal((await enter(client, closed)).data.code, 'NOT_A_MEMBER');
        await enter(client, room);
        if ((place + round) % 2)
          await client.ask({ type: 'unsubscribe', channel: 'chatroom', chatroomId: room });
      }),
    );
    const message = `round ${round}`;
    await ada.client.post(`${ROOMS}/${room}/messages`, { message });
    const isIn = clients.map((_, place) => (place + round) % 2 === 0);
    await until(
      () => clients.every((client, place) => !isIn[place] || heard(client).includes(message)),
      `${message} to those who are in`,
    );
    for (const [place, client] of clients.entries())
      assert.equal(heard(client).filter((one) => one === message).length, Number(isIn[place]));
    await sleep(150); // eight times two or three messages a round, of twenty a second
  }
  for (const client of clients) client.close();
});

test('notifications: one’s own, as they come', async () => {
  const client = await open(ada);
  const asked = { type: 'subscribe', channel: 'notifications' };
  assert.equal((await client.ask({ ...asked, userId: ben.id })).data.code, 'FORBIDDEN');
  assert.equal((await client.ask({ ...asked, userId: ada.id })).type, 'subscribe:success');
  const notification = { type: 'reminder', title: 'Soon', message: 'It begins.' };
  const { data } = await admin.post('/v1/notifications/send', { userId: ada.id, ...notification });
  const told = await client.next(({ type }) => type === 'notification:new');
  assert.deepEqual(told, {
    type: 'notification:new',
    data: { id: data.notification.id, title: 'Soon', message: 'It begins.', priority: 'medium' },
  });
  await client.ask({ type: 'unsubscribe', channel: 'notifications' });
  client.close();
});

test('after a reconnect: what was missed, in order, each once, and then what comes', async () => {
  const room = await newRoom();
  const his = await open(ben);
  await enter(his, room);
  await say(his, room, 'one');
  const hers = await open(ada);
  const { data } = await enter(hers, room);
  assert.equal(data.seq, 1);
  hers.close();
  await hers.closing();
  for (const text of ['two', 'three', 'four']) await say(his, room, text);
  const [three] = (await ada.client.get(`${ROOMS}/${room}/messages`)).data.filter(
    (one: Loose) => one.message === 'three',
  );
  await ben.client.put(`${ROOMS}/${room}/messages/${three.id}`, { message: 'three, changed' });
  const back = await open(ada);
  const replayed = await enter(back, room, { after: 1 });
  assert.deepEqual([replayed.data.seq, replayed.data.more], [5, false]);
  await say(his, room, 'five');
  await back.next(({ data }) => data.message === 'five');
  const seqs = back.received.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq);
  assert.deepEqual(seqs, [2, 3, 4, 5, 6]);
  assert.equal((await enter(back, room, { after: 6 })).data.replayed, 0);
  for (const client of [his, back]) client.close();
});

test('what was missed is found in the database too, bounded, with a sign when there was more', async () => {
  const room = await newRoom();
  await platform.database.sql(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select 'a' || lpad(to_hex(n), 23, '0'), $1, $2, 'no. ' || n, n, n, now() from generate_series(1, 400) n`,
    [room, ben.id],
  );
  await platform.database.sql('update chat.room set last_seq = 400, message_count = 400 where id = $1', [
    room,
  ]);
  const some = await open(ada);
  const { data } = await enter(some, room, { after: 350 });
  assert.deepEqual([data.seq, data.replayed, data.more], [400, 50, false]);
  const all = await enter(some, room, { after: 20 });
  assert.deepEqual([all.data.seq, all.data.replayed, all.data.more], [400, 300, true]);
  const message = some.received.filter(({ type }) => type === 'chat:message')[50];
  assert.equal(message.seq, 101, 'the newest 300');
  some.close();
});

test('a repeated chat:send is the same message; another under its name is refused', async () => {
  const room = await newRoom();
  const client = await open(ada);
  await enter(client, room);
  const first = await say(client, room, 'once', { clientMessageId: 'c1' });
  const again = await say(client, room, 'once', { clientMessageId: 'c1' });
  assert.equal(again.data.messageId, first.data.messageId);
  assert.deepEqual([first.data.duplicate, again.data.duplicate], [false, true]);
  assert.equal(first.data.clientMessageId, 'c1');
  const other = await say(client, room, 'other', { clientMessageId: 'c1' });
  assert.deepEqual([other.type, other.data.code], ['error', 'MESSAGE_ID_REUSED']);
  await sleep(50);
  assert.deepEqual(heard(client), ['once']);
  client.close();
});

test('a hundred messages a minute, over both ways together', async () => {
  const fay = await platform.newMember();
  const room = await newRoom();
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 + 1000);
  const client = await open(fay);
  for (let number = 0; number < 60; number++)
    await fay.client.post(`${ROOMS}/${room}/messages`, { message: 'http' });
  const answers: Loose[] = [];
  for (let number = 0; number < 41; number++) {
    answers.push(await say(client, room, 'ws'));
    await sleep(20); // its own limit is 20 a second
  }
  assert.equal(answers.filter(({ type }) => type === 'chat:ack').length, 40);
  const { type, data } = answers[40];
  assert.deepEqual([type, data.code], ['error', 'RATE_LIMIT_EXCEEDED']);
  assert.ok(data.retryAfter > 0 && data.retryAfter <= 60);
  client.close();
});

test('faulty messages are answered; when they persist the connection is closed', async () => {
  const client = await open(ada);
  const cases: [string, string][] = [
    ['{', 'INVALID_MESSAGE'],
    ['[]', 'INVALID_MESSAGE'],
    ['"text"', 'INVALID_MESSAGE'],
    ['{"type":7}', 'INVALID_MESSAGE'],
    ['{"type":"chat:send","message":"\\u0000"}', 'INVALID_MESSAGE'],
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
    assert.equal(client.received.at(-1).data.code, code, text);
  }
  const { errors } = client.received.at(-1).data;
  assert.deepEqual(
    errors.map(({ field }: Loose) => field),
    ['chatroomId', 'message'],
  );
  client.socket.send(new Uint8Array([1, 2, 3]));
  await client.next(({ data }) => data.code === 'INVALID_MESSAGE');
  assert.equal((await client.ask({ type: 'ping' })).type, 'pong', 'it lives');
  for (let number = 0; number < 10; number++) client.socket.send('nonsense');
  assert.equal((await client.closing()).code, 4429);
});

test('messages of more than 64 KB end the connection', async () => {
  const client = await open(ada);
  client.socket.send(JSON.stringify({ type: 'ping', filler: 'x'.repeat(65_000) }));
  assert.equal((await client.next(({ type }) => type === 'pong')).type, 'pong');
  client.socket.send(JSON.stringify({ type: 'ping', filler: 'x'.repeat(66_000) }));
  assert.equal((await client.closing()).code, 1009);
});

test('signing out ends the connection, and asks for nothing more at once', async () => {
  const gus = await platform.newMember();
  const room = await newRoom();
  const client = await open(gus);
  await enter(client, room);
  await gus.client.post('/v1/auth/signout');
  assert.equal((await say(client, room, 'still here?')).data.code, 'INVALID_TOKEN');
  assert.deepEqual(await client.closing(), { code: 4401, reason: 'the session has ended' });
});

test('time: no auth, silence, and a token that expires and is renewed', async () => {
  const hal = await platform.newMember();
  const [stranger, silent, renewed] = [await LiveClient.open(url), await open(hal), await open(hal)];
  const signs = async (ms: number) => {
    platform.clock.advance(ms);
    await sleep(1_200);
  };
  await signs(11_000);
  assert.equal((await stranger.closing()).code, 4408);
  for (let minutes = 0; minutes < 14; minutes++) {
    platform.clock.advance(55_000);
    for (const client of [silent, renewed]) await client.ask({ type: 'ping' });
  }
  await signs(59_000);
  for (const client of [silent, renewed]) await client.ask({ type: 'ping' });
  await signs(20_000);
  const warned = await renewed.next(({ type }) => type === 'auth:expiring');
  assert.ok(Date.parse(warned.data.expiresAt) - platform.clock.now() < 60_000);
  const { data } = await platform.client.post('/v1/auth/refresh-token', { refreshToken: hal.refreshToken });
  assert.equal((await renewed.ask({ type: 'auth', token: data.accessToken })).type, 'auth:success');
  for (const client of [silent, renewed]) await client.ask({ type: 'ping' });
  await signs(50_000);
  for (const client of [silent, renewed]) await client.ask({ type: 'ping' });
  const refused = await silent.ask({ type: 'subscribe', channel: 'notifications', userId: hal.id });
  assert.equal(refused.data.code, 'TOKEN_EXPIRED');
  await signs(25_000);
  assert.deepEqual(await silent.closing(), { code: 4401, reason: 'the token has expired' });
  assert.equal((await renewed.ask({ type: 'ping' })).type, 'pong');
  await signs(61_000);
  assert.equal((await renewed.closing()).code, 4408);
});

test('a connection stays with whom it was opened by', async () => {
  const [ivy, joe] = [await platform.newMember(), await platform.newMember()];
  const client = await open(ivy);
  assert.equal((await client.ask({ type: 'auth', token: ivy.accessToken })).type, 'auth:success');
  client.send({ type: 'auth', token: joe.accessToken });
  assert.equal((await client.closing()).code, 4409);
});

test('upgrades elsewhere are 404; requests that offer HTTP/2 are answered as ever', async () => {
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

test('who does not read is dropped, and costs the others nothing', async () => {
  const [kim, lea] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom('public', lea);
  const reader = await open(lea);
  await enter(reader, room);
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
  await until(async () => (await lea.client.get(`${ROOMS}/${room}`)).data.activeNow === 2, 'it is there');
  stuck.pause();
  const ended = new Promise((resolve) => stuck.once('close', resolve));
  stuck.on('error', () => undefined);
  const data = { filler: 'x'.repeat(60_000) };
  const { tell } = platform.platform.live;
  let told = 0;
  const dropped = () => platform.platform.liveFigures().slow > 0;
  for (; !dropped() && told < 2_000; told++) {
    await tell(`live:room:${room}`, [{ type: 'test', data, seq: told + 1 }]);
    await new Promise(setImmediate);
  }
  assert.ok(dropped(), 'it is dropped');
  await until(() => reader.all('test').length === told, 'the others have all of it');
  stuck.resume();
  await ended;
  reader.close();
});

test('the last: at its limit a process refuses one more with 1013', async () => {
  const clients: LiveClient[] = [];
  await until(() => platform.platform.liveFigures().connections === 0, 'the others are gone');
  for (let number = 0; number < 40; number++) clients.push(await LiveClient.open(url));
  const more = await LiveClient.open(url);
  assert.equal((await more.closing()).code, 1013);
  clients[0]?.close();
  await until(() => platform.platform.liveFigures().connections === 39, 'room for one');
  const next = await LiveClient.open(url);
  await sleep(50);
  assert.equal(next.closed, undefined);
  for (const client of [...clients, next]) client.close();
});
