import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  blockMember,
  deleteChatMessage,
  editChatMessage,
  getChatroom,
  listChatMessages,
  unassignPermissions,
  type wire,
} from '../../../sdk/src/index.ts';
import { newRoom, say, textsOf, trySending } from '../../../test/support/chatrooms.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notMember, roomNotFound } from './contract.ts';
import { messageIdReused, messageNotFound } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];

/** Has Ben say `no. 1` and so on in a room of Ada's, one after another. */
async function roomWith(count: number) {
  const room = await newRoom(ada);
  const messages: wire.ChatMessage[] = [];
  for (let number = 1; number <= count; number++) messages.push(await say(ben, room, `no. ${number}`));
  return { room, messages, params: { chatroomId: room } };
}

test('messages are listed newest first, by page and by cursor', async () => {
  const { room, messages, params } = await roomWith(7);
  const { data, body } = await ada.client.call(listChatMessages, { params, query: { limit: 3 } });
  assert.deepEqual(body.pagination, { page: 1, limit: 3, total: 7, pages: 3 });
  const [newest] = data;
  assert.deepEqual([newest?.message, newest?.seq, newest?.userId], ['no. 7', 7, ben.id]);
  assert.deepEqual(await textsOf(ada, room, { page: 3, limit: 3 }), ['no. 1']);
  const middle = messages[3]?.id as string;
  assert.deepEqual(await textsOf(ada, room, { before: middle, limit: 2 }), ['no. 3', 'no. 2']);
  assert.deepEqual(await textsOf(ada, room, { after: middle, limit: 2 }), ['no. 6', 'no. 5']);
  assert.deepEqual(await textsOf(ada, room, { after: newest?.id as string }), []);
});

test('a list of messages has a place that exists, in one direction, and at most 100 items', async () => {
  const { messages, params } = await roomWith(1);
  const id = messages[0]?.id as string;
  const list = (query: { before?: string; after?: string; limit?: number }) =>
    ada.client.attempt(listChatMessages, { params, query });
  assertRefused(await list({ before: 'f'.repeat(24) }), messageNotFound);
  assertInvalid(await list({ before: id, after: id }));
  assert.equal((await list({ limit: 1000 })).body.pagination?.limit, 100);
});

test('members join a public room by sending a message', async () => {
  const { messages, params } = await roomWith(2);
  assert.deepEqual(Object.keys(messages[0] as object).sort(), [
    'chatroomId',
    'createdAt',
    'editedAt',
    'id',
    'message',
    'seq',
    'user',
    'userId',
  ]);
  const { data } = await ada.client.call(getChatroom, { params });
  assert.deepEqual([data.memberCount, data.lastSeq], [2, 2]);
  assert.equal(data.lastMessageAt, messages[1]?.createdAt);
});

test('a message is a text of 1 to 4000 characters', async () => {
  const path = `/v1/chatrooms/${await newRoom(ada)}/messages`;
  for (const message of ['', '  \n', 'x'.repeat(4001), 7, undefined])
    assertInvalid(await ada.client.raw('POST', path, { message }));
});

test('a room that one may not write in is refused before the message', async () => {
  const pathOf = (room: string) => `/v1/chatrooms/${room}/messages`;
  const hidden = await newRoom(ada, 'private');
  for (const message of ['', 'Hello'])
    for (const [room, refusal] of [
      ['f'.repeat(24), roomNotFound],
      [hidden, notMember],
    ] as const)
      assertRefused(await ben.client.raw('POST', pathOf(room), { message }), refusal);
});

test('a private room does not tell a stranger that its creator has blocked them', async () => {
  const [creator, stranger] = [await platform.newMember(), await platform.newMember()];
  const hidden = await newRoom(creator, 'private');
  await creator.client.call(blockMember, { params: { userId: stranger.id } });
  assertRefused(await trySending(stranger, hidden, 'Hello'), notMember);
});

test('a message is edited by its author only', async () => {
  const { messages, params } = await roomWith(1);
  const ofMessage = { params: { ...params, messageId: messages[0]?.id as string } };
  const edit = { ...ofMessage, body: { message: 'no. 1, changed' } };
  assertRefused(await ada.client.attempt(editChatMessage, edit), insufficientPermissions);
  assert.equal((await ben.client.call(editChatMessage, edit)).data.message, 'no. 1, changed');
  const { data } = await ben.client.call(listChatMessages, { params });
  assert.equal(data[0]?.message, 'no. 1, changed');
  assert.ok(data[0]?.editedAt);
});

test('an edit to the same text changes nothing, and is no event of the room', async () => {
  const { messages, params } = await roomWith(2);
  const [first] = messages;
  const { data } = await ben.client.call(editChatMessage, {
    params: { ...params, messageId: first?.id as string },
    body: { message: 'no. 1' },
  });
  assert.deepEqual([data.message, data.editedAt], ['no. 1', null]);
  assert.equal((await ada.client.call(getChatroom, { params })).data.lastSeq, 2);
});

test('a message is deleted once, by its author, the creator of the room or a moderator', async () => {
  const { room, messages, params } = await roomWith(4);
  const ofMessage = (place: number) => ({
    params: { ...params, messageId: messages[place]?.id as string },
  });
  const refused = await eve.client.attempt(deleteChatMessage, ofMessage(1));
  assertRefused(refused, insufficientPermissions);
  const { data } = await ben.client.call(deleteChatMessage, ofMessage(1));
  assert.deepEqual(data, { id: messages[1]?.id });
  await ada.client.call(deleteChatMessage, ofMessage(2));
  const moderator = { params: { userId: eve.id }, body: { permissions: ['moderator' as const] } };
  await admin.call(assignPermissions, moderator);
  await eve.client.call(deleteChatMessage, ofMessage(3));
  await admin.call(unassignPermissions, moderator);
  assertRefused(await ben.client.attempt(deleteChatMessage, ofMessage(3)), messageNotFound);
  assert.deepEqual(await textsOf(ben, room), ['no. 1']);
  assert.equal((await ben.client.call(listChatMessages, { params })).body.pagination.total, 1);
});

test('a repeated clientMessageId returns the same message', async () => {
  const room = await newRoom(ada);
  const all = await Promise.all(Array.from({ length: 6 }, () => trySending(ben, room, 'once', 'mine')));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [201]);
  assert.equal(new Set(all.map(({ data }) => data?.id)).size, 1);
  assertRefused(await trySending(ben, room, 'other', 'mine'), messageIdReused);
  const hers = await trySending(ada, room, 'her own', 'mine');
  assert.equal(hers.status, 201, 'names are each member’s own');
  assert.deepEqual(await textsOf(ada, room), ['her own', 'once']);
});

test('concurrent messages get distinct consecutive numbers', async () => {
  const room = await newRoom(ada);
  const speakers = [ada, ben, eve];
  await Promise.all(
    Array.from({ length: 60 }, (_, number) => say(speakers[number % 3] as typeof ada, room, `no. ${number}`)),
  );
  const params = { chatroomId: room };
  const { data } = await ada.client.call(listChatMessages, { params, query: { limit: 100 } });
  assert.deepEqual(
    data.map(({ seq }) => seq),
    Array.from({ length: 60 }, (_, place) => 60 - place),
  );
  assert.equal((await ada.client.call(getChatroom, { params })).data.memberCount, 3);
});

test('a member sends at most a hundred messages a minute', async (t) => {
  stopClock(t, platform.clock);
  const fay = await platform.newMember();
  const room = await newRoom(ada);
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 + 1000);
  const statuses: number[] = [];
  for (let number = 0; number < 101; number++)
    statuses.push((await trySending(fay, room, 'on and on')).status);
  assert.deepEqual(statuses, [...Array(100).fill(201), 429]);
  const refused = await trySending(fay, room, 'more');
  assert.equal(refused.body.error, 'MESSAGE_LIMIT_EXCEEDED');
  assert.ok(Number(refused.headers.get('retry-after')) <= 60);
});
