import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  createChatroom,
  listNotifications,
  removeChatroomMember,
} from '../../../sdk/src/index.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

// Whoever is added to a room learns of it, wherever they are in the app.

const platform = await startPlatform();

const toldOf = async ({ client }: Member) =>
  (await client.call(listNotifications, { query: { type: 'chat' } })).data;

test('who is added to a private room is told once for each addition, live and by a notification', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const live = await LiveClient.open(platform.url, ben.accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: ben.id });
  const body = { name: 'Gold club', type: 'private' as const };
  const chatroomId = (await ada.client.call(createChatroom, { body })).data.id;
  const add = (userId: string) =>
    ada.client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
  await add(ben.id);
  await add(ben.id);
  await add(ada.id);
  const { data } = await live.next(({ type }) => type === 'chat:added');
  assert.deepEqual(data, { chatroomId, name: body.name, addedBy: ada.id });
  await until(async () => (await toldOf(ben)).length > 0, 'the notification comes');
  const [first] = await toldOf(ben);
  await ada.client.call(removeChatroomMember, { params: { chatroomId, userId: ben.id } });
  await until(async () => (await toldOf(ben)).length === 0, 'it goes with the membership');
  await add(ben.id);
  await until(async () => (await toldOf(ben)).length > 0, 'another one comes');
  const told = await toldOf(ben);
  assert.deepEqual(
    told.map(({ title }) => title),
    ['You were added to Gold club'],
  );
  assert.notEqual(told[0]?.id, first?.id);
  const { action, chatroomId: named, fromUserId } = told[0]?.metadata ?? {};
  assert.deepEqual([action, named, fromUserId], ['open-chatroom', chatroomId, ada.id]);
  assert.equal(live.all('chat:added').length, 2);
  assert.deepEqual(await toldOf(ada), []);
  live.close();
});
