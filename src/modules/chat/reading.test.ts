import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  createChatroom,
  deleteChatMessage,
  getChatroom,
  joinChatroom,
  leaveChatroom,
  listChatrooms,
  markChatroomRead,
} from '../../../sdk/src/index.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { notMember, roomNotFound } from './contract.ts';
import { messageNotFound } from './failures.ts';
import { MOST_UNREAD } from './rooms.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });

const read = ({ client }: Member, chatroomId: string, messageId: string) =>
  client.attempt(markChatroomRead, { params: { chatroomId }, body: { messageId } });
const join = ({ client }: Member, chatroomId: string) =>
  client.call(joinChatroom, { params: { chatroomId } });
const unread = async ({ client }: Member, chatroomId: string): Promise<number> => {
  const params = { chatroomId };
  const inList = (await client.call(listChatrooms, { query: { limit: 100 } })).data.find(
    ({ id }) => id === chatroomId,
  );
  const { unreadCount } = (await client.call(getChatroom, { params })).data;
  assert.equal(inList?.unreadCount, unreadCount, 'the list and the room say the same');
  return unreadCount;
};

test('messages of others are unread from joining on, until they are read', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await say(ada, room, 'Before Ben came');
  assert.equal(await unread(ben, room), 0, 'not a member yet');
  await join(ben, room);
  assert.equal(await unread(ben, room), 0);
  const one = await say(ada, room, 'One');
  const two = await say(ada, room, 'Two');
  await say(ben, room, 'His own');
  assert.deepEqual([await unread(ben, room), await unread(ada, room)], [2, 1]);
  const first = await read(ben, room, one.id);
  assert.deepEqual(
    [first.status, first.data],
    [200, { chatroomId: room, messageId: one.id, seq: one.seq, unreadCount: 1 }],
  );
  assert.equal((await read(ben, room, two.id)).data?.unreadCount, 0);
  const { seq: last } = (await read(ben, room, two.id)).data ?? assert.fail();
  assert.deepEqual(
    (await read(ben, room, one.id)).data,
    { chatroomId: room, messageId: one.id, seq: last, unreadCount: 0 },
    'an earlier one changes nothing, and the answer says up to where he has read',
  );
  assert.equal(await unread(ada, room), 1, 'others read for themselves');
});

test('deleted messages are not unread, and one can have read up to a deleted one', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  const kept = await say(ada, room, 'Kept');
  const gone = await say(ada, room, 'Gone');
  await ada.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: gone.id } });
  assert.equal(await unread(ben, room), 1);
  assert.equal((await read(ben, room, gone.id)).data?.unreadCount, 0);
  assert.equal((await read(ben, room, kept.id)).data?.unreadCount, 0);
});

test('the other devices of a member learn what was read, and nobody else', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  const { id: messageId, seq } = await say(ada, room, 'Hello');
  const [device, other] = [
    await LiveClient.open(platform.url, ben.accessToken),
    await LiveClient.open(platform.url, ada.accessToken),
  ];
  for (const [client, id] of [
    [device, ben.id],
    [other, ada.id],
  ] as const)
    await client.ask({ type: 'subscribe', channel: 'notifications', userId: id });
  await read(ben, room, messageId);
  const { data } = await device.next(({ type }) => type === 'chat:read');
  assert.deepEqual(data, { chatroomId: room, messageId, seq, unreadCount: 0 });
  await read(ben, room, messageId);
  await read(ada, room, messageId);
  await other.next(({ type }) => type === 'chat:read');
  assert.deepEqual(
    [device, other].map((client) => client.all('chat:read').length),
    [1, 1],
  );
  for (const client of [device, other]) client.close();
});

test('who comes back has read what was said meanwhile', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  await say(ada, room, 'One');
  await ben.client.call(leaveChatroom, { params: { chatroomId: room } });
  await say(ada, room, 'Two');
  assert.equal(await unread(ben, room), 0);
  await join(ben, room);
  assert.equal(await unread(ben, room), 0);
});

test('only members of a room read it, and only its own messages', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [room, another] = [await newRoom(ada), await newRoom(ada)];
  const message = await say(ada, room, 'Hello');
  assertRefused(await read(ben, room, message.id), notMember, 'a reader of a public room');
  assertRefused(await read(ada, another, message.id), messageNotFound);
  assertRefused(await read(ada, 'f'.repeat(24), message.id), roomNotFound);
  const body = { name: 'Two of us', type: 'private' as const };
  const { data: secret } = await ada.client.call(createChatroom, { body });
  const whisper = await say(ada, secret.id, 'Psst');
  assertRefused(await read(ben, secret.id, whisper.id), notMember);
  const params = { chatroomId: secret.id };
  await ada.client.call(addChatroomMember, { params, body: { userId: ben.id } });
  assert.equal((await read(ben, secret.id, whisper.id)).status, 200);
});

test(`at most ${MOST_UNREAD} are counted, and two devices at once end at the later message`, async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  const { id } = await say(ada, room, 'The first');
  await platform.database.execute(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select lpad(to_hex(i), 24, '0'), $1, $2, 'More', i, i, now() from generate_series(1000, 1149) i`,
    [room, ada.id],
  );
  assert.equal(await unread(ben, room), MOST_UNREAD);
  const last = (1149).toString(16).padStart(24, '0');
  const answers = await Promise.all([read(ben, room, id), read(ben, room, last), read(ben, room, id)]);
  assert.equal(await unread(ben, room), 0);
  for (const { data } of answers)
    assert.equal(data?.unreadCount, data?.seq === 1149 ? 0 : MOST_UNREAD, 'each count fits its position');
});
