// The overview of a chat app: the member's rooms by their newest messages, and what is unread in all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  banChatMember,
  countUnreadMessages,
  createChatroom,
  deleteChatMessage,
  deleteChatroom,
  joinChatroom,
  leaveChatroom,
  listChatrooms,
  markChatroomRead,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';
import { MOST_UNREAD, MOST_UNREAD_IN_ALL } from './rooms.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;

const ACTIVE = { joined: true, sort: 'active' } as const;
async function byActivity({ client }: Member, query: object = {}): Promise<string[]> {
  const { data } = await client.call(listChatrooms, { query: { ...ACTIVE, ...query } });
  const times = data.map(({ lastMessageAt, createdAt }) => Date.parse(lastMessageAt ?? createdAt));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
    'a client can keep the order by these fields',
  );
  return data.map(({ id }) => id);
}
const unread = async ({ client }: Member) => (await client.call(countUnreadMessages)).data;
const join = ({ client }: Member, chatroomId: string) =>
  client.call(joinChatroom, { params: { chatroomId } });

/** Makes rooms of a member at different times, oldest first. */
async function roomsOf(member: Member, count: number): Promise<string[]> {
  const rooms: string[] = [];
  for (let made = 0; made < count; made++) {
    platform.clock.advance(1000);
    rooms.push(await newRoom(member));
  }
  platform.clock.advance(1000);
  return rooms;
}

test('rooms are sorted by their newest messages, and those without by their creation', async () => {
  const ada = await platform.newMember();
  const [first, second, third] = (await roomsOf(ada, 3)) as [string, string, string];
  assert.deepEqual(await byActivity(ada), [third, second, first]);
  await say(ada, first, 'First');
  platform.clock.advance(1000);
  const { id: messageId } = await say(ada, second, 'Second');
  assert.deepEqual(await byActivity(ada), [second, first, third]);
  await ada.client.call(deleteChatMessage, { params: { chatroomId: second, messageId } });
  assert.deepEqual(await byActivity(ada), [first, third, second], 'a deleted message does not count');
  assert.deepEqual(await byActivity(ada, { type: 'private' }), []);
  const [elsewhere] = (await roomsOf(await platform.newMember(), 1)) as [string];
  assert.ok(!(await byActivity(ada)).includes(elsewhere), 'only rooms of the member');
});

test('pages by activity continue after a room, also among those of the same instant', async () => {
  const ada = await platform.newMember();
  const body = { name: 'At once', type: 'private' } as const;
  const twins = [];
  for (let made = 0; made < 4; made++) twins.push((await ada.client.call(createChatroom, { body })).data.id);
  const all = await byActivity(ada);
  assert.deepEqual(all, twins.toReversed());
  const pages = [await byActivity(ada, { limit: 3 }), await byActivity(ada, { limit: 3, page: 2 })];
  assert.deepEqual(pages.flat(), all);
  assert.deepEqual(await byActivity(ada, { before: all[1] }), all.slice(2));
});

test('pages by activity continue after a room that the member has left, or that is deleted', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [first, second, third, fourth] = (await roomsOf(ada, 4)) as [string, string, string, string];
  for (const room of [first, second, third, fourth]) await join(ben, room);
  await say(ada, second, 'Two');
  platform.clock.advance(1000);
  await say(ada, first, 'One');
  const { data } = await ben.client.call(listChatrooms, { query: ACTIVE });
  assert.deepEqual(
    data.map(({ id }) => id),
    [first, second, fourth, third],
  );
  const [newest, , silent] = data;
  const before = `${newest?.lastMessageAt}_${first}`;
  await ben.client.call(leaveChatroom, { params: { chatroomId: first } });
  assert.deepEqual(await byActivity(ben, { before }), [second, fourth, third]);
  await ada.client.call(deleteChatroom, { params: { chatroomId: first } });
  assert.deepEqual(await byActivity(ben, { before }), [second, fourth, third]);
  // As the fields of a room without messages are joined.
  assert.equal(silent?.lastMessageAt, null);
  assert.deepEqual(await byActivity(ben, { before: `_${fourth}` }), [third]);
});

test('sorting by activity needs one’s own rooms, and a cursor of one of them', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const foreign = await newRoom(ben, 'private');
  assertInvalid(await ada.client.attempt(listChatrooms, { query: { sort: 'active' } }));
  for (const before of [foreign, 'f'.repeat(24)])
    assertInvalid(await ada.client.attempt(listChatrooms, { query: { ...ACTIVE, before } }));
});

test('unread messages are counted over all rooms that the member is in', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [first, second, third] = (await roomsOf(ada, 3)) as [string, string, string];
  assert.deepEqual(await unread(ben), { count: 0, chatrooms: 0 });
  for (const room of [first, second, third]) await join(ben, room);
  const { id: messageId } = await say(ada, first, 'One');
  await say(ada, first, 'Two');
  await say(ada, second, 'Three');
  await say(ben, third, 'His own');
  assert.deepEqual(await unread(ben), { count: 3, chatrooms: 2 });
  assert.deepEqual(await unread(ada), { count: 1, chatrooms: 1 });
  await ben.client.call(markChatroomRead, { params: { chatroomId: first }, body: { messageId } });
  assert.deepEqual(await unread(ben), { count: 2, chatrooms: 2 });
  await ben.client.call(leaveChatroom, { params: { chatroomId: second } });
  assert.deepEqual(await unread(ben), { count: 1, chatrooms: 1 });
  await ada.client.call(deleteChatroom, { params: { chatroomId: first } });
  assert.deepEqual(await unread(ben), { count: 0, chatrooms: 0 });
});

test('rooms from which a member is banned have nothing unread, and are not in the list', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  await say(ada, room, 'One');
  await admin.call(banChatMember, { params: { chatroomId: room, userId: ben.id } });
  assert.deepEqual([await unread(ben), await byActivity(ben)], [{ count: 0, chatrooms: 0 }, []]);
});

test(`of each room at most ${MOST_UNREAD} messages are counted`, async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [one, two] = (await roomsOf(ada, 2)) as [string, string];
  for (const room of [one, two]) {
    await join(ben, room);
    platform.clock.advance(61_000);
    for (let sent = 0; sent < 60; sent++) await say(ada, room, `${sent}`);
    platform.clock.advance(61_000);
    for (let sent = 0; sent < 42; sent++) await say(ada, room, `${sent}`);
  }
  assert.deepEqual(await unread(ben), { count: 2 * MOST_UNREAD, chatrooms: 2 });
});

test(`over all rooms at most ${MOST_UNREAD_IN_ALL} messages are counted, and one's own never`, async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const rooms = await roomsOf(ada, 12);
  for (const room of rooms) await join(ben, room);
  /** Has somebody write further messages in rooms. */
  const write = (author: Member, roomIds: string[], messages: number) =>
    platform.database.execute(
      `with written as (
         insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
         select substr(md5(id || last_seq || i), 1, 24), id, $1, 'Gold', last_seq + i, last_seq + i, $4
         from chat.room, generate_series(1, $3::integer) i where id = any($2) returning 1)
       update chat.room set last_seq = last_seq + $3::integer where id = any($2) and (select count(*) from written) > 0`,
      [author.id, roomIds, messages, platform.clock.date()],
    );
  await write(ada, rooms.slice(0, 9), 99);
  await write(ben, rooms.slice(9, 10), 30);
  assert.deepEqual(await unread(ben), { count: 9 * 99, chatrooms: 9 });
  await write(ben, rooms.slice(0, 1), 40);
  assert.deepEqual(await unread(ben), { count: 9 * 99 - 39, chatrooms: 9 }, 'of the newest hundred');
  await write(ada, rooms, 99);
  assert.deepEqual(await unread(ben), { count: MOST_UNREAD_IN_ALL, chatrooms: 12 });
});
