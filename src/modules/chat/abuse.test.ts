import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  createChatroom,
  createCommunity,
  deleteChatMessage,
  deleteChatroom,
  editChatMessage,
  getChatroom,
  getEducatorChatroom,
  joinChatroom,
  joinEducatorChatroom,
  leaveChatroom,
  leaveEducatorChatroom,
  listChatMessages,
  listChatroomMembers,
  listChatrooms,
  muteChatMember,
  removeChatroomMember,
  reportChatMessage,
  sendChatMessage,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say, textsOf, trySending } from '../../../test/support/chatrooms.ts';
import { untilAvailable } from '../../../test/support/holding.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { stopClock } from '../../../test/support/stopped-clock.ts';
import { messageIdReused } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];

/** Tries every operation on a room, a message in it and another member of it. */
async function tryAll({ client, id }: Member, room: string, messageId: string, other: string) {
  const params = { chatroomId: room };
  const ofMessage = { params: { ...params, messageId } };
  const ofOther = { params: { ...params, userId: other } };
  return {
    read: await client.attempt(getChatroom, { params }),
    messages: await client.attempt(listChatMessages, { params }),
    cursor: await client.attempt(listChatMessages, { params, query: { after: messageId } }),
    say: await client.attempt(sendChatMessage, { params, body: { message: 'hello?' } }),
    'say under her name': await client.attempt(sendChatMessage, {
      params,
      body: { message: 'secret', clientMessageId: 'x' },
    }),
    edit: await client.attempt(editChatMessage, { ...ofMessage, body: { message: 'mine' } }),
    delete: await client.attempt(deleteChatMessage, ofMessage),
    report: await client.attempt(reportChatMessage, { ...ofMessage, body: { reason: 'Spam' } }),
    join: await client.attempt(joinChatroom, { params }),
    leave: await client.attempt(leaveChatroom, { params }),
    members: await client.attempt(listChatroomMembers, { params }),
    update: await client.attempt(updateChatroom, { params, body: { name: 'Mine' } }),
    remove: await client.attempt(deleteChatroom, { params }),
    add: await client.attempt(addChatroomMember, { params, body: { userId: id } }),
    'put out': await client.attempt(removeChatroomMember, ofOther),
    mute: await client.attempt(muteChatMember, { ...ofOther, body: { minutes: 1 } }),
    unmute: await client.attempt(unmuteChatMember, ofOther),
    ban: await client.attempt(banChatMember, ofOther),
    unban: await client.attempt(unbanChatMember, ofOther),
  };
}

test('an outsider gets the same refusal from every operation of a private room', async () => {
  const room = await newRoom(ada, 'private');
  const secret = await say(ada, room, 'secret');
  const answers = await tryAll(ben, room, secret.id, ada.id);
  for (const [what, { status, body }] of Object.entries(answers)) {
    assert.equal(status, 403, what);
    assert.equal(body.data, undefined, what);
    assert.ok(!JSON.stringify(body).includes('secret'), what);
  }
  assert.ok(!(await ben.client.call(listChatrooms)).data.some(({ id }) => id === room));
});

test('a private room of an educator shows nothing to outsiders by either path', async () => {
  await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['educator'] } });
  const { data } = await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } });
  await ben.client.call(joinEducatorChatroom, { params: { educatorId: ada.id } });
  await say(ada, data.chatroomId, 'secret');
  await ada.client.call(updateChatroom, {
    params: { chatroomId: data.chatroomId },
    body: { type: 'private' },
  });
  assert.equal(
    (await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } })).data.lastMessage
      ?.content,
    'secret',
    'he is in it',
  );
  assert.equal(
    (await ben.client.call(leaveEducatorChatroom, { params: { educatorId: ada.id } })).status,
    200,
  );
  for (const answer of [
    await ben.client.attempt(getEducatorChatroom, { params: { educatorId: ada.id } }),
    await ben.client.attempt(joinEducatorChatroom, { params: { educatorId: ada.id } }),
    await ben.client.attempt(leaveEducatorChatroom, { params: { educatorId: ada.id } }),
  ]) {
    assert.deepEqual([answer.status, answer.body.error], [403, 'NOT_A_MEMBER']);
    assert.ok(!JSON.stringify(answer.body).includes('secret'));
  }
});

test('invisible messages, names, rules and reasons are refused', async () => {
  const room = await newRoom(ada);
  const { id: messageId } = await say(ben, room, 'something');
  const params = { chatroomId: room };
  const ofMessage = { params: { ...params, messageId } };
  for (const nothing of ['\u200b\u200b', '\u202e \u2066', '\ufeff', '\u3164', '\u0007', ' \u00a0\n']) {
    const body = { message: nothing };
    const refused = [
      await ben.client.attempt(sendChatMessage, { params, body }),
      await ben.client.attempt(editChatMessage, { ...ofMessage, body }),
      await ada.client.attempt(createChatroom, { body: { name: nothing, type: 'public' } }),
      await ada.client.attempt(updateChatroom, { params, body: { name: nothing } }),
      await ada.client.attempt(updateChatroom, { params, body: { rules: [nothing] } }),
      await ada.client.attempt(reportChatMessage, { ...ofMessage, body: { reason: nothing } }),
      await admin.attempt(createCommunity, { body: { name: nothing } }),
    ];
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], [422], JSON.stringify(nothing));
  }
  assert.equal((await trySending(ben, room, '\u200f👩‍🚀')).status, 201);
});

test('a repeated clientMessageId returns the same message after an edit or a deletion', async () => {
  const room = await newRoom(ada);
  const { data: first } = await trySending(ben, room, 'Gold breaks out', 'mine');
  const params = { chatroomId: room, messageId: first?.id as string };
  for (const message of ['Gold breaks out!', 'Silver breaks out!'])
    await ben.client.call(editChatMessage, { params, body: { message } });
  const again = await trySending(ben, room, 'Gold breaks out', 'mine');
  assert.deepEqual(
    [again.status, again.data?.id, again.data?.message],
    [201, first?.id, 'Silver breaks out!'],
    'as it reads now',
  );
  const other = await trySending(ben, room, 'Silver breaks out!', 'mine');
  assertRefused(other, messageIdReused, 'the original text was another one');
  await ben.client.call(deleteChatMessage, { params });
  const reply = await trySending(ben, room, 'Gold breaks out', 'mine');
  assert.deepEqual([reply.status, reply.data?.id, reply.data?.message], [201, first?.id, 'Gold breaks out']);
  assert.deepEqual(await textsOf(ada, room), []);
});

test('slow mode also applies to members who join, concurrently too', async (t) => {
  stopClock(t, platform.clock);
  const room = await newRoom(ada);
  const params = { chatroomId: room };
  await ada.client.call(updateChatroom, { params, body: { slowModeSeconds: 30 } });
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      untilAvailable(() => trySending(ben, room, `no. ${number}`, `${number}`)),
    ),
  );
  const statuses = all.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 429).length, 11);
  const { data } = await ada.client.call(getChatroom, { params });
  assert.deepEqual([data.memberCount, data.lastSeq], [2, 1]);
});

test('edits have a limit of their own, like that of messages', async (t) => {
  stopClock(t, platform.clock);
  const [fay, room] = [await platform.newMember(), await newRoom(ada)];
  const { id: messageId } = await say(fay, room, 'no. 0');
  const params = { chatroomId: room, messageId };
  const statuses: number[] = [];
  // The same text again, which the limit of edits of one message does not count.
  const body = { message: 'no. 0' };
  for (let number = 1; number <= 101; number++)
    statuses.push((await fay.client.attempt(editChatMessage, { params, body })).status);
  assert.deepEqual(statuses, [...Array(100).fill(200), 429]);
  assert.equal((await trySending(fay, room, 'still')).status, 201);
});

test('the message limit holds in every interval of a minute', async (t) => {
  stopClock(t, platform.clock);
  const [fay, room] = [await platform.newMember(), await newRoom(ada)];
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 - 20_000);
  const burst = async (size: number): Promise<number> => {
    const all = await Promise.all(Array.from({ length: size }, () => trySending(fay, room, 'on and on')));
    return all.filter(({ status }) => status === 201).length;
  };
  assert.equal(await burst(60), 60);
  platform.clock.advance(30_000);
  assert.equal(await burst(60), 40);
  platform.clock.advance(31_000);
  assert.equal(await burst(80), 60, 'the first sixty are a minute old');
});
