import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addChatroomMember,
  createChatroom,
  deleteChatMessage,
  editChatMessage,
  getChatroom,
  getMember,
  listChatMessages,
  listNotifications,
  removeChatroomMember,
  sendChatMessage,
  sendNotification,
} from '../../../sdk/src/index.ts';
import { LiveClient, type LiveMessage, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, url } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
async function newRoom(type: 'public' | 'private' = 'public', { client }: Member = ada): Promise<string> {
  return (await client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;
}
const say = ({ client }: Member, chatroomId: string, message: string) =>
  client.call(sendChatMessage, { params: { chatroomId }, body: { message } });

test('a connection authenticates by a message, and an invalid token closes it', async () => {
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

/** Creates a public room with a client for each of two members, who see each other there. */
async function enterTogether() {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  for (const client of [hers, his]) await client.enter(room);
  return { room, hers, his };
}

test('a member who enters a room learns who is in it, and the others see that member come online', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  const entered = await hers.enter(room);
  assert.equal(entered.type, 'subscribe:success');
  assert.deepEqual(entered.data, {
    channel: 'chatroom',
    chatroomId: room,
    seq: 0,
    memberCount: 1,
    activeNow: 1,
    online: [ada.id],
  });
  assert.equal((await his.enter(room)).data.activeNow, 2);
  const { data: user } = await ben.client.call(getMember, { params: { id: ben.id } });
  const online = await hers.next(({ type, data }) => type === 'user:online' && data.userId === ben.id);
  assert.deepEqual(online, {
    type: 'user:online',
    data: { chatroomId: room, userId: ben.id, user, status: 'online' },
  });
  assert.equal((await ada.client.call(getChatroom, { params: { chatroomId: room } })).data.activeNow, 2);
  for (const client of [hers, his]) client.close();
});

test('a message is acknowledged to its sender, reaches all members of its room, and is saved', async () => {
  const { room, hers, his } = await enterTogether();
  const { data: user } = await ben.client.call(getMember, { params: { id: ben.id } });
  const author = { ...user, firstName: 'Test', lastName: 'Member', rankBadgeUrl: null };
  const ack = await his.say(room, 'Gold breaks out!');
  assert.equal(ack.type, 'chat:ack');
  const { messageId, timestamp } = ack.data;
  assert.deepEqual(ack.data, { chatroomId: room, messageId, seq: 1, timestamp, duplicate: false });
  const message = {
    type: 'chat:message',
    data: {
      chatroomId: room,
      messageId,
      userId: ben.id,
      user: author,
      message: 'Gold breaks out!',
      timestamp,
    },
    seq: 1,
  };
  for (const client of [hers, his])
    assert.deepEqual(await client.next(({ type }) => type === 'chat:message'), message);
  const { data } = await ada.client.call(listChatMessages, { params: { chatroomId: room } });
  assert.deepEqual([data[0]?.id, data[0]?.createdAt], [messageId, timestamp]);
  for (const client of [hers, his]) client.close();
});

test('messages, edits and deletions over HTTP reach the room, numbered in their order', async () => {
  const { room, hers, his } = await enterTogether();
  const { messageId } = (await his.say(room, 'Gold breaks out!')).data;
  await say(ada, room, 'over HTTP');
  await his.next(({ data }) => data.message === 'over HTTP');
  const params = { chatroomId: room, messageId };
  await ben.client.call(editChatMessage, { params, body: { message: 'Gold!' } });
  const updated = await hers.next(({ type }) => type === 'chat:updated');
  assert.deepEqual([updated.data.messageId, updated.data.message, updated.seq], [messageId, 'Gold!', 3]);
  await ben.client.call(deleteChatMessage, { params });
  const deleted = await hers.next(({ type }) => type === 'chat:deleted');
  assert.deepEqual(deleted, { type: 'chat:deleted', data: { chatroomId: room, messageId }, seq: 4 });
  for (const client of [hers, his]) client.close();
});

test('typing is shown to the others in the room, and to no device of the one who types', async () => {
  const { room, hers, his } = await enterTogether();
  const phone = await open(ben);
  await phone.enter(room);
  his.send({ type: 'chat:typing', chatroomId: room });
  const typing = await hers.next(({ type }) => type === 'chat:typing');
  assert.deepEqual(typing.data, { chatroomId: room, userId: ben.id });
  for (const own of [his, phone]) {
    await own.ask({ type: 'ping' });
    assert.deepEqual(own.all('chat:typing'), []);
  }
  for (const client of [hers, his, phone]) client.close();
});

test('a member who leaves a room receives nothing more of it and is shown as offline', async () => {
  const { room, hers, his } = await enterTogether();
  const left = await his.ask({ type: 'unsubscribe', channel: 'chatroom', chatroomId: room });
  assert.equal(left.type, 'unsubscribe:success');
  await hers.say(room, 'gone?');
  await hers.next(({ data }) => data.message === 'gone?');
  await his.ask({ type: 'ping' });
  assert.ok(!his.messageTexts().includes('gone?'));
  const offline = await hers.next(({ type, data }) => type === 'user:online' && data.status === 'offline');
  assert.equal(offline.data.userId, ben.id);
  for (const client of [hers, his]) client.close();
});

test('only readers of a room can subscribe, and removed members receive nothing more', async () => {
  const room = await newRoom('private');
  const his = await open(ben);
  const refused = await his.enter(room);
  assert.deepEqual([refused.type, refused.data.code], ['subscribe:error', 'NOT_A_MEMBER']);
  assert.deepEqual((await his.say(room, 'hello?')).data.code, 'NOT_A_MEMBER');
  assert.equal((await his.enter('f'.repeat(24))).data.code, 'NOT_FOUND');
  await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } });
  assert.equal((await his.enter(room)).type, 'subscribe:success');
  await say(ada, room, 'welcome');
  await his.next(({ data }) => data.message === 'welcome');
  await ada.client.call(removeChatroomMember, { params: { chatroomId: room, userId: ben.id } });
  const out = await his.next(({ type }) => type === 'unsubscribed');
  assert.deepEqual(out.data, { channel: 'chatroom', chatroomId: room, reason: 'REMOVED' });
  await say(ada, room, 'now we talk');
  await sleep(100);
  assert.deepEqual(his.messageTexts(), ['welcome']);
  his.close();
});

test('with concurrent joins and departures only current members receive messages', async () => {
  const rooms = [await newRoom(), await newRoom('private', ben)];
  const clients = await Promise.all(Array.from({ length: 8 }, () => open(ada)));
  const [room, closed] = rooms as [string, string];
  for (let round = 0; round < 15; round++) {
    await Promise.all(
      clients.map(async (client, place) => {
        assert.equal((await client.enter(closed)).data.code, 'NOT_A_MEMBER');
        await client.enter(room);
        if ((place + round) % 2)
          await client.ask({ type: 'unsubscribe', channel: 'chatroom', chatroomId: room });
      }),
    );
    const message = `round ${round}`;
    await say(ada, room, message);
    const isIn = clients.map((_, place) => (place + round) % 2 === 0);
    await until(
      () => clients.every((client, place) => !isIn[place] || client.messageTexts().includes(message)),
      `${message} to those who are in`,
    );
    for (const [place, client] of clients.entries())
      assert.equal(client.messageTexts().filter((one) => one === message).length, Number(isIn[place]));
    await sleep(150); // eight times two or three messages a round, of twenty a second
  }
  for (const client of clients) client.close();
});

test('members receive their own notifications live', async () => {
  const client = await open(ada);
  const asked = { type: 'subscribe', channel: 'notifications' };
  assert.equal((await client.ask({ ...asked, userId: ben.id })).data.code, 'FORBIDDEN');
  assert.equal((await client.ask({ ...asked, userId: ada.id })).type, 'subscribe:success');
  const metadata = { action: 'open-certificate', courseId: ben.id, campaign: 'spring' } as const;
  const notification = { type: 'reminder', title: 'Soon', message: 'It begins.', metadata } as const;
  const { data } = await admin.call(sendNotification, { body: { userId: ada.id, ...notification } });
  const notificationId = data.notification.id;
  const { data: received } = await client.next(
    ({ type, data }) => type === 'notification:new' && data.id === notificationId,
  );
  const { data: listed } = await ada.client.call(listNotifications);
  assert.deepEqual(
    received,
    listed.find(({ id }) => id === notificationId),
  );
  assert.deepEqual([received?.type, received?.metadata], ['reminder', metadata]);
  await client.ask({ type: 'unsubscribe', channel: 'notifications' });
  client.close();
});

test('after a reconnect missed messages arrive in order, each once, before newer ones', async () => {
  const room = await newRoom();
  const his = await open(ben);
  await his.enter(room);
  await his.say(room, 'one');
  const hers = await open(ada);
  const { data } = await hers.enter(room);
  assert.equal(data.seq, 1);
  hers.close();
  await hers.closing();
  for (const text of ['two', 'three', 'four']) await his.say(room, text);
  const { data: messages } = await ada.client.call(listChatMessages, { params: { chatroomId: room } });
  const three = messages.find(({ message }) => message === 'three');
  assert.ok(three);
  await ben.client.call(editChatMessage, {
    params: { chatroomId: room, messageId: three.id },
    body: { message: 'three, changed' },
  });
  const back = await open(ada);
  const replayed = await back.enter(room, { after: 1 });
  assert.deepEqual([replayed.data.seq, replayed.data.more], [5, false]);
  await his.say(room, 'five');
  await back.next(({ data }) => data.message === 'five');
  const seqs = back.received.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq);
  assert.deepEqual(seqs, [2, 4, 5, 6], 'an edited message arrives once, with its current text');
  assert.equal((await back.enter(room, { after: 6 })).data.replayed, 0);
  for (const client of [his, back]) client.close();
});

test('missed messages are read from the database up to a limit, with a sign that there are more', async () => {
  const room = await newRoom();
  await platform.database.execute(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select 'a' || lpad(to_hex(n), 23, '0'), $1, $2, 'no. ' || n, n, n, now() from generate_series(1, 400) n`,
    [room, ben.id],
  );
  await platform.database.execute('update chat.room set last_seq = 400, message_count = 400 where id = $1', [
    room,
  ]);
  const some = await open(ada);
  const { data } = await some.enter(room, { after: 350 });
  assert.deepEqual([data.seq, data.replayed, data.more], [400, 50, false]);
  const all = await some.enter(room, { after: 20 });
  assert.deepEqual([all.data.seq, all.data.replayed, all.data.more], [400, 300, true]);
  const message = some.received.filter(({ type }) => type === 'chat:message')[50];
  assert.equal(message?.seq, 101, 'the newest 300');
  some.close();
});

test('a repeated chat:send returns the same message, and another with its id is refused', async () => {
  const room = await newRoom();
  const client = await open(ada);
  await client.enter(room);
  const first = await client.say(room, 'once', { clientMessageId: 'c1' });
  const again = await client.say(room, 'once', { clientMessageId: 'c1' });
  assert.equal(again.data.messageId, first.data.messageId);
  assert.deepEqual([first.data.duplicate, again.data.duplicate], [false, true]);
  assert.equal(first.data.clientMessageId, 'c1');
  const other = await client.say(room, 'other', { clientMessageId: 'c1' });
  assert.deepEqual([other.type, other.data.code], ['error', 'MESSAGE_ID_REUSED']);
  await sleep(50);
  assert.deepEqual(client.messageTexts(), ['once']);
  client.close();
});

test('the limit of a hundred messages a minute counts HTTP and live messages together', async () => {
  const fay = await platform.newMember();
  const room = await newRoom();
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 + 1000);
  const client = await open(fay);
  for (let number = 0; number < 60; number++) await say(fay, room, 'http');
  const answers: LiveMessage[] = [];
  for (let number = 0; number < 41; number++) {
    answers.push(await client.say(room, 'ws'));
    await sleep(20); // its own limit is 20 a second
  }
  assert.equal(answers.filter(({ type }) => type === 'chat:ack').length, 40);
  const [refused] = answers.slice(40);
  assert.deepEqual([refused?.type, refused?.data.code], ['error', 'MESSAGE_LIMIT_EXCEEDED']);
  const { retryAfter = 0 } = refused?.data ?? {};
  assert.ok(retryAfter > 0 && retryAfter <= 60);
  client.close();
});
