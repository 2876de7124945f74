// Members learn what becomes of their rooms wherever they are in the app, and what they were notified of goes with the room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  deleteChatroom,
  deleteUser,
  handOnChatroom,
  joinChatroom,
  leaveChatroom,
  listNotifications,
  removeChatroomMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { MEMBERS_AT_ONCE } from '../../kernel/live/live.ts';
import { ANNOUNCED_PER_HOUR } from '../notifications/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;

/** Opens a connection of a member that is subscribed to no room. */
async function screenOf({ id: userId, accessToken }: Member): Promise<LiveClient> {
  const live = await LiveClient.open(platform.url, accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId });
  return live;
}
const add = ({ client }: Member, chatroomId: string, { id: userId }: Member) =>
  client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
const titlesOf = async ({ client }: Member) =>
  (await client.call(listNotifications, { query: { type: 'chat' } })).data.map(({ title }) => title);
const lists = (member: Member, count: number) =>
  until(async () => (await titlesOf(member)).length === count, `${count} notifications`);

test('who is removed or banned, or leaves, is told on all devices, and the notification of their addition goes', async () => {
  const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
  const screen = await screenOf(ben);
  const room = await newRoom(ada, 'private');
  const ofBen = { params: { chatroomId: room, userId: ben.id } };
  const steps: [string, () => Promise<unknown>][] = [
    ['REMOVED', () => ada.client.call(removeChatroomMember, ofBen)],
    ['LEFT', () => ben.client.call(leaveChatroom, { params: { chatroomId: room } })],
    ['BANNED', () => ada.client.call(banChatMember, ofBen)],
  ];
  for (const [reason, step] of steps) {
    const by = reason === 'BANNED' ? { ...ada, client: admin } : ada;
    await add(by, room, ben);
    await lists(ben, 1);
    await step();
    const { data } = await screen.next(({ type, data }) => type === 'chat:removed' && data.reason === reason);
    assert.deepEqual(data, { chatroomId: room, reason });
    await lists(ben, 0);
  }
  await add(ada, room, cat);
  await lists(cat, 1);
  assert.equal(screen.all('chat:removed').length, 3);
  screen.close();
});

test('who is added again keeps the new notification', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const room = await newRoom(ada, 'private');
  await add(ada, room, ben);
  await lists(ben, 1);
  const [before] = (await ben.client.call(listNotifications, { query: { type: 'chat' } })).data;
  await ada.client.call(removeChatroomMember, { params: { chatroomId: room, userId: ben.id } });
  await lists(ben, 0);
  platform.clock.advance(1_000);
  await add(ada, room, ben);
  await lists(ben, 1);
  await platform.database.execute(
    "update jobs.job set start_after = now() where name = 'notifications.withdraw' and state = 'created'",
  );
  const ended = async () =>
    (await platform.database.count(
      "select count(*) from jobs.job where name = 'notifications.withdraw' and state in ('created', 'active', 'retry')",
    )) === 0;
  await until(ended, 'all looks to end');
  const [now] = (await ben.client.call(listNotifications, { query: { type: 'chat' } })).data;
  assert.ok(now && now.id !== before?.id);
});

test('members are told of a changed room, and of its new owner, who is notified', async () => {
  const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
  const [his, hers] = [await screenOf(ben), await screenOf(cat)];
  const room = await newRoom(ada);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  const body = { name: 'Silver', rules: ['Be kind.'], slowModeSeconds: 5 };
  for (let time = 0; time < 2; time++)
    await ada.client.call(updateChatroom, { params: { chatroomId: room }, body });
  const { data } = await his.next(({ type }) => type === 'chat:room-updated');
  const { updatedAt, ...told } = data;
  assert.ok(Date.parse(updatedAt as string));
  const known = { chatroomId: room, ...body, description: '', type: 'public' };
  assert.deepEqual(told, { ...known, createdBy: ada.id });
  await ada.client.call(handOnChatroom, { params: { chatroomId: room }, body: { userId: ben.id } });
  await his.next(({ type, data }) => type === 'chat:room-updated' && data.createdBy === ben.id);
  assert.equal(his.all('chat:room-updated').length, 2, 'nobody is told that nothing has changed');
  assert.deepEqual(hers.all('chat:room-updated'), [], 'she is not in it');
  await until(async () => (await titlesOf(ben))[0] === 'A chatroom is yours now', 'the notification');
  for (const one of [his, hers]) one.close();
});

test('members are told of a deleted room, and what they were notified of it goes', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const screen = await screenOf(ben);
  const room = await newRoom(ada, 'group');
  await add(ada, room, ben);
  await lists(ben, 1);
  await say(ada, room, 'One');
  await ada.client.call(deleteChatroom, { params: { chatroomId: room } });
  const { data } = await screen.next(({ type }) => type === 'chat:removed');
  assert.deepEqual(data, { chatroomId: room, reason: 'ROOM_DELETED' });
  await lists(ben, 0);
  screen.close();
});

test('who inherits a room of a deleted account is notified', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const screen = await screenOf(ben);
  const room = await newRoom(ada);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await screen.next(({ type, data }) => type === 'chat:room-updated' && data.createdBy === ben.id);
  await until(async () => (await titlesOf(ben))[0] === 'A chatroom is yours now', 'the notification');
  screen.close();
});

test('beyond the hourly limit a room is changed, nobody is told, and the answer says so', async () => {
  const ada = await newMember();
  const room = await newRoom(ada);
  const rename = async (name: string) =>
    (await ada.client.raw('PUT', `/v1/chatrooms/${room}`, { name })).body.message;
  for (let made = 0; made < ANNOUNCED_PER_HOUR.member; made++)
    assert.equal(await rename(`Gold ${made}`), 'Chatroom updated');
  assert.match(await rename('Silver'), /nobody was notified/);
});

test('all members of a large room are told, by one publication for a thousand', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const screen = await screenOf(ben);
  const room = await newRoom(ada);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  await platform.database.execute(
    `insert into chat.member (room_id, user_id, is_member, joined_at)
     select $1, lpad(to_hex(n), 24, '0'), true, now() from generate_series(1, $2::integer) n`,
    [room, MEMBERS_AT_ONCE],
  );
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { name: 'Silver' } });
  const { data } = await screen.next(({ type }) => type === 'chat:room-updated');
  assert.equal(data.name, 'Silver');
  screen.close();
});
