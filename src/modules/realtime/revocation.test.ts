import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createChatroom,
  deleteChatroom,
  getMember,
  refreshToken,
  sendChatMessage,
  signIn,
  signOut,
  unassignPermissions,
  updateChatroom,
  updateUser,
} from '../../../sdk/src/index.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { memberTyping } from '../chat/chat.live.ts';
import { USER_CHANGED_CHANNEL } from '../identity/contract.ts';
import { presenceChanged } from '../presence/presence.live.ts';
import { CLOSES } from './closing.ts';

const platform = await startPlatform();
const { admin, url } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
// An educator, who may create the many rooms of these tests within an hour.
const [ada, ben] = [await newEducator(platform), await platform.newMember()];

const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
const newRoom = async (type: 'public' | 'private' | 'group' = 'public'): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;
const say = (room: string, message: string) =>
  ada.client.call(sendChatMessage, { params: { chatroomId: room }, body: { message } });
/** The notices that identity publishes when a member's sessions or permissions have changed. */
const changed = ({ id }: Member) => platform.platform.bus.publish(USER_CHANGED_CHANNEL, id);
const isOut = ({ type }: { type: string }) => type === 'unsubscribed';

test('once a room is private only its members receive its messages', async () => {
  const room = await newRoom();
  const [hers, his, again] = [await open(ada), await open(ben), await open(ben)];
  for (const client of [hers, his, again]) await client.enter(room);
  await say(room, 'open');
  await his.next(({ data }) => data.message === 'open');
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { type: 'private' } });
  for (let number = 0; number < 20; number++) await say(room, `secret ${number}`);
  for (const client of [his, again]) {
    const { data } = await client.next(isOut);
    assert.deepEqual(data, { channel: 'chatroom', chatroomId: room, reason: 'NOT_ALLOWED' });
    assert.deepEqual(client.messageTexts(), ['open']);
  }
  await until(() => hers.messageTexts().length === 21, 'all of it');
  assert.deepEqual(
    hers.all('chat:message').map(({ seq }) => seq),
    Array.from({ length: 21 }, (_, place) => place + 1),
  );
  assert.equal(hers.all('unsubscribed').length, 0);
  for (const client of [hers, his, again]) client.close();
});

test('a subscription concurrent with a room becoming private never receives a message', async () => {
  for (let round = 0; round < 10; round++) {
    const room = await newRoom();
    const clients = await Promise.all(Array.from({ length: 4 }, () => open(ben)));
    const entering = clients.map((client) => client.enter(room));
    await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { type: 'private' } });
    await say(room, 'secret');
    const answers = await Promise.all(entering);
    for (const [place, client] of clients.entries()) {
      if (answers[place]?.type === 'subscribe:success') await client.next(isOut);
      else assert.equal(answers[place]?.data.code, 'NOT_A_MEMBER');
      assert.deepEqual(client.messageTexts(), []);
      client.close();
    }
  }
});

test('an outsider receives no typing or presence while the subscription is being checked', async () => {
  const room = await newRoom('private');
  const [hers, his] = [await open(ada), await open(ben)];
  await hers.enter(room);
  const { data: user } = await ada.client.call(getMember, { params: { id: ada.id } });
  for (let number = 0; number < 200; number++) {
    if (number % 10 === 0)
      his.send({ type: 'subscribe', channel: 'chatroom', chatroomId: room, requestId: number });
    const message =
      number % 2
        ? memberTyping({ chatroomId: room, userId: ada.id })
        : presenceChanged({ chatroomId: room, userId: ada.id, user, status: 'online' });
    await platform.platform.live.send(`live:room:${room}`, [message]);
    await new Promise(setImmediate);
  }
  await until(() => his.all('subscribe:error').length === 20, 'the refusals');
  assert.deepEqual([...new Set(his.received.map(({ type }) => type))].sort(), [
    'auth:success',
    'subscribe:error',
  ]);
  for (const client of [hers, his]) client.close();
});

test('a former moderator loses private rooms at once and keeps other rooms', async () => {
  const eve = await platform.newMember();
  const permissions = { permissions: ['moderator'] };
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: permissions });
  const [closed, free] = [await newRoom('private'), await newRoom()];
  const client = await open(eve);
  for (const room of [closed, free]) assert.equal((await client.enter(room)).type, 'subscribe:success');
  await admin.call(unassignPermissions, { params: { userId: eve.id }, body: permissions });
  await changed(eve);
  for (const room of [closed, free]) await say(room, `in ${room}`);
  assert.equal((await client.next(isOut)).data.chatroomId, closed);
  await client.next(({ data }) => data.message === `in ${free}`);
  assert.deepEqual(client.messageTexts(), [`in ${free}`]);
  assert.equal((await client.enter(closed)).data.code, 'NOT_A_MEMBER');
  client.close();
});

test('ending a session closes exactly its connections at once', async () => {
  const gus = await platform.newMember();
  const signedIn = await platform.client.call(signIn, {
    body: {
      email: gus.email,
      password: PASSWORD,
      platform: 'web',
      device: 'other',
    },
  });
  const room = await newRoom();
  const [first, other] = [await open(gus), await LiveClient.open(url, signedIn.data.accessToken)];
  for (const client of [first, other]) await client.enter(room);
  await gus.client.call(signOut, { body: { platform: 'web', device: 'unnamed' } });
  await changed(gus);
  await say(room, 'afterwards');
  assert.deepEqual(await first.closing(), { code: 4401, reason: 'the session has ended' });
  await other.next(({ data }) => data.message === 'afterwards');
  assert.deepEqual([first.messageTexts(), other.messageTexts()], [[], ['afterwards']]);
  await admin.call(updateUser, { params: { userId: gus.id }, body: { isActive: false } });
  await changed(gus);
  assert.equal((await other.closing()).code, 4401);
});

test('a session that ends during authentication and subscriptions receives nothing afterwards', async () => {
  const rooms = [await newRoom(), await newRoom(), await newRoom()] as const;
  for (let round = 0; round < 12; round++) {
    const kim = await platform.newMember();
    const client = await LiveClient.open(url);
    client.send({ type: 'auth', token: kim.accessToken });
    for (const chatroomId of rooms) client.send({ type: 'subscribe', channel: 'chatroom', chatroomId });
    // In some rounds before the session is read, in others between its read and the subscriptions, or after them.
    for (let turn = 0; turn < 3 * round; turn++) await new Promise(setImmediate);
    await kim.client.call(signOut);
    await changed(kim);
    for (const room of rooms) await say(room, 'afterwards');
    const isOver = () => client.closed !== undefined || client.all('subscribe:error').length > 0;
    await until(isOver, 'the end or a refusal');
    assert.deepEqual(client.messageTexts(), []);
    client.close();
  }
});

test('messages pipelined with the authentication are answered as if sent afterwards', async () => {
  const [open, closed] = [await newRoom(), await newRoom('private')];
  const client = await LiveClient.open(url);
  client.send({ type: 'auth', token: ben.accessToken });
  const answers = await Promise.all([
    client.enter(open),
    client.enter(closed),
    client.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id }),
    client.ask({ type: 'subscribe', channel: 'notifications', userId: ben.id }),
  ]);
  assert.deepEqual(
    answers.map(({ type, data }) => data.code ?? type),
    ['subscribe:success', 'NOT_A_MEMBER', 'FORBIDDEN', 'subscribe:success'],
  );
  client.close();
});

test('deleting a room ends the subscriptions of all members', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  for (const client of [hers, his]) await client.enter(room);
  await ada.client.call(deleteChatroom, { params: { chatroomId: room } });
  for (const client of [hers, his]) {
    assert.equal((await client.next(isOut)).data.reason, 'ROOM_DELETED');
    client.close();
  }
});

test('after a leak of the signing key connections renew their tokens, or end', async () => {
  const [renewing, silent] = [await open(ada), await open(ben)];
  await platform.platform.identity.rotateSigningKey({ isLeaked: true });
  const refused = await renewing.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id });
  assert.equal(refused.data.code, 'TOKEN_EXPIRED');
  const body = { refreshToken: ada.refreshToken };
  const { data } = await platform.client.call(refreshToken, { body });
  assert.equal((await renewing.ask({ type: 'auth', token: data.accessToken })).type, 'auth:success');
  // Connections are asked one after another.
  await silent.next(({ type }) => type === 'auth:expiring');
  platform.clock.advance(20_000);
  for (const client of [silent, renewing]) await client.ask({ type: 'ping' });
  platform.clock.advance(31_000);
  assert.equal((await silent.closing()).code, CLOSES.tokenExpired.code);
  const again = await renewing.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id });
  assert.equal(again.type, 'subscribe:success');
  renewing.close();
});
