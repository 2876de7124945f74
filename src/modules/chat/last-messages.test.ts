// The last message of each chatroom in lists: the same for everybody who may read the room, and for nobody else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  blockMember,
  deleteChatMessage,
  deleteUser,
  editChatMessage,
  getChatroom,
  leaveChatroom,
  listChatMessages,
  listChatrooms,
} from '../../../sdk/src/index.ts';
import { newRoom as createRoom, say } from '../../../test/support/chatrooms.ts';
import type { Client } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { MAX_BEGINNING_LENGTH } from './messages.model.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

const newRoom = (type: 'public' | 'private' = 'public') => createRoom(ada, type);
async function listed({ client }: { client: Client }, chatroomId: string) {
  const { data } = await client.call(listChatrooms, { query: { limit: 100 } });
  const found = data.find(({ id }) => id === chatroomId);
  assert.ok(found);
  assert.deepEqual((await client.call(getChatroom, { params: { chatroomId } })).data, found);
  return found;
}

test('a list of chatrooms has the last message of each, with its author', async () => {
  const [room, other, empty] = [await newRoom(), await newRoom(), await newRoom()];
  await say(ada, room, 'First');
  const { id, user, createdAt } = await say(ben, room, 'Gold breaks out');
  await say(ada, other, 'Elsewhere');
  const { lastMessage, lastMessageAt } = await listed(ada, room);
  assert.deepEqual(lastMessage, { id, userId: ben.id, user, message: 'Gold breaks out', createdAt });
  assert.equal(lastMessageAt, createdAt);
  assert.equal((await listed(ben, other)).lastMessage?.message, 'Elsewhere');
  assert.deepEqual(
    [(await listed(ben, empty)).lastMessage, (await listed(ben, empty)).lastMessageAt],
    [null, null],
  );
});

test('the last message follows edits and deletions, and a long one is shortened', async () => {
  const room = await newRoom();
  const params = { chatroomId: room };
  const first = await say(ada, room, 'First');
  const second = await say(ada, room, 'x'.repeat(MAX_BEGINNING_LENGTH));
  assert.equal((await listed(ben, room)).lastMessage?.message, 'x'.repeat(MAX_BEGINNING_LENGTH));
  const ofSecond = { ...params, messageId: second.id };
  await ada.client.call(editChatMessage, {
    params: ofSecond,
    body: { message: 'y'.repeat(MAX_BEGINNING_LENGTH + 1) },
  });
  const shown = `${'y'.repeat(MAX_BEGINNING_LENGTH - 1)}…`;
  assert.equal((await listed(ben, room)).lastMessage?.message, shown);
  await ada.client.call(deleteChatMessage, { params: ofSecond });
  const { lastMessage, lastMessageAt } = await listed(ben, room);
  assert.deepEqual([lastMessage?.id, lastMessageAt], [first.id, first.createdAt]);
  await ada.client.call(deleteChatMessage, { params: { ...params, messageId: first.id } });
  assert.equal((await listed(ben, room)).lastMessageAt, null);
});

test('who may not read a chatroom does not learn its last message', async () => {
  const room = await newRoom('private');
  const params = { chatroomId: room };
  await ada.client.call(addChatroomMember, { params, body: { userId: ben.id } });
  await say(ada, room, 'Between us');
  assert.equal((await listed(ben, room)).lastMessage?.message, 'Between us');
  assert.equal((await listed({ client: admin }, room)).lastMessage, null, 'staff reads it in the room');
  assert.equal((await ben.client.call(leaveChatroom, { params })).data.lastMessage, null);
  const open = await newRoom();
  await say(ada, open, 'To all');
  await ada.client.call(banChatMember, { params: { chatroomId: open, userId: ben.id } });
  const { data } = await ben.client.call(listChatrooms, { query: { limit: 100 } });
  assert.ok(data.every(({ id }) => id !== room && id !== open));
});

test('the last message is shown as the history of the room shows it: also of blocked and deleted members', async () => {
  const room = await newRoom();
  const params = { chatroomId: room };
  const eve = await platform.newMember();
  await say(eve, room, 'Hello');
  await ben.client.call(blockMember, { params: { userId: eve.id } });
  const both = async () => {
    const [newest] = (await ben.client.call(listChatMessages, { params })).data;
    const { lastMessage } = await listed(ben, room);
    return [lastMessage, newest].map((one) => ({ message: one?.message, user: one?.user }));
  };
  const [before, newest] = await both();
  assert.deepEqual(before, newest);
  assert.equal(before?.user?.id, eve.id);
  await admin.call(deleteUser, { params: { userId: eve.id } });
  // What the room shows changes while the account is erased.
  const membersOf = async () => (await ben.client.call(getChatroom, { params })).data.memberCount;
  await until(async () => (await membersOf()) === 1, 'the erased account has left the room');
  const [now, inHistory] = await both();
  assert.deepEqual(now, inHistory);
  assert.notEqual(now?.user?.username, before?.user?.username);
});
