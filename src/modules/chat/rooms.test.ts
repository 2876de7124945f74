import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  createChatroom,
  deleteChatroom,
  deleteUser,
  getChatroom,
  joinChatroom,
  leaveChatroom,
  listChatMessages,
  listChatroomMembers,
  listChatrooms,
  removeChatroomMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, trySending } from '../../../test/support/chatrooms.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { creatorStays, notMember, roomNotFound } from './contract.ts';
import { memberNotFound, tooManyRooms } from './failures.ts';
import { MAX_OWN_ROOMS } from './rooms.model.ts';
import { standingStore } from './standings.store.ts';

const platform = await startPlatform();
const { admin } = platform;
// An educator, who may create the many rooms of these tests within an hour.
const [ada, ben] = [await newEducator(platform), await platform.newMember()];

test('a chatroom is created, listed, changed and deleted', async () => {
  const { status, data } = await ada.client.call(createChatroom, {
    body: { name: ' Gold ', type: 'public' },
  });
  assert.equal(status, 201);
  const { id, createdAt, updatedAt, ...rest } = data;
  assert.deepEqual(rest, {
    name: 'Gold',
    description: '',
    rules: [],
    type: 'public',
    memberCount: 1,
    joined: true,
    mutedUntil: null,
    members: [],
    activeNow: 0,
    lastMessageAt: null,
    lastMessage: null,
    unreadCount: 0,
    notificationsEnabled: true,
    createdBy: ada.id,
    slowModeSeconds: 0,
    lastSeq: 0,
  });
  assert.match(createdAt, /Z$/);
  assert.equal(updatedAt, createdAt);
  const params = { chatroomId: id };
  assert.deepEqual((await ben.client.call(getChatroom, { params })).data, { ...data, joined: false });
  assert.ok((await ben.client.call(listChatrooms)).data.some((room) => room.id === id));
  const changed = await ada.client.call(updateChatroom, {
    params,
    body: { name: ' Silver ', slowModeSeconds: 5 },
  });
  assert.deepEqual([changed.data.name, changed.data.slowModeSeconds], ['Silver', 5]);
  assert.deepEqual((await ada.client.call(deleteChatroom, { params })).data, { id });
  assertRefused(await ada.client.attempt(getChatroom, { params }), roomNotFound);
  assertRefused(await ada.client.attempt(deleteChatroom, { params }), roomNotFound);
});

test('a chatroom has the rules that it was created with', async () => {
  const rules = ['Be kind.', 'No advice.'];
  const body = { name: 'Gold', type: 'public', rules } as const;
  const { data } = await ada.client.call(createChatroom, { body });
  assert.deepEqual(data.rules, rules);
  const params = { chatroomId: data.id };
  assert.deepEqual((await ben.client.call(getChatroom, { params })).data.rules, rules);
  assertInvalid(
    await ada.client.attempt(createChatroom, { body: { ...body, rules: Array(21).fill('Be kind.') } }),
  );
});

test('a member lists the chatrooms that they are in, by type, page and cursor', async () => {
  const member = await platform.newMember();
  const [open, other, secret] = [
    await newRoom(ada, 'public'),
    await newRoom(ada, 'public'),
    await newRoom(ada, 'private'),
  ];
  const own = await newRoom(member, 'group');
  const params = { chatroomId: open };
  await member.client.call(joinChatroom, { params });
  await ada.client.call(addChatroomMember, { params: { chatroomId: secret }, body: { userId: member.id } });
  const joined = async (query: object = {}) =>
    (await member.client.call(listChatrooms, { query: { joined: true, ...query } })).data.map(({ id }) => id);
  assert.deepEqual(await joined(), [own, secret, open]);
  assert.deepEqual(await joined({ type: 'private' }), [secret]);
  assert.deepEqual(await joined({ limit: 2, page: 2 }), [open]);
  assert.deepEqual(await joined({ before: own, limit: 1 }), [secret]);
  assert.ok(!(await joined()).includes(other));
  await member.client.call(leaveChatroom, { params });
  await ada.client.call(deleteChatroom, { params: { chatroomId: secret } });
  assert.deepEqual(await joined(), [own]);
  assertInvalid(await member.client.raw('GET', '/v1/chatrooms?joined=false'));
});

test("public chatrooms and one's own are listed in one order, by pages and by cursors, and those of others never", async () => {
  const member = await platform.newMember();
  const types = ['public', 'private', 'group', 'private', 'public', 'group'] as const;
  for (const type of types) {
    await newRoom(ada, type);
    await newRoom(member, type);
  }
  const seen = (query: { type?: 'group'; before?: string; page?: number; limit?: number }) =>
    member.client.call(listChatrooms, { query });
  const whole = (await seen({ limit: 100 })).data;
  const ids = whole.map(({ id }) => id);
  assert.deepEqual(ids, [...ids].sort().reverse());
  assert.deepEqual(
    [...new Set(whole.filter(({ type }) => type !== 'public').map(({ createdBy }) => createdBy))],
    [member.id],
  );
  assert.equal(whole.filter(({ type }) => type !== 'public').length, 4);
  const paged: string[] = [];
  for (let page = 1; paged.length < ids.length; page++)
    paged.push(...(await seen({ page, limit: 5 })).data.map(({ id }) => id));
  assert.deepEqual(paged, ids);
  const continued: string[] = [];
  for (let before: string | undefined; continued.length < ids.length; before = continued.at(-1))
    continued.push(...(await seen({ limit: 3, ...(before && { before }) })).data.map(({ id }) => id));
  assert.deepEqual(continued, ids);
  assert.equal((await seen({ limit: 1 })).body.pagination?.total, ids.length);
  assert.equal((await seen({ type: 'group' })).body.pagination?.total, 2);
});

test('a chatroom is changed and deleted by its creator and administrators only', async () => {
  const params = { chatroomId: await newRoom(ada) };
  const change = { params, body: { slowModeSeconds: 5 } };
  assertRefused(await ben.client.attempt(updateChatroom, change), insufficientPermissions);
  assertRefused(await ben.client.attempt(deleteChatroom, { params }), insufficientPermissions);
  assert.equal((await admin.call(updateChatroom, change)).data.slowModeSeconds, 5);
});

test('a chatroom has a name, a type that exists, and an id', async () => {
  for (const body of [{}, { name: ' ', type: 'public' }, { name: 'x', type: 'secret' }])
    assertInvalid(await ada.client.raw('POST', '/v1/chatrooms', body));
  const nonsense = { params: { chatroomId: 'nonsense' } };
  assertRefused(await ada.client.attempt(getChatroom, nonsense), invalidId('chatroom'));
});

for (const type of ['private', 'group'] as const) {
  test(`a ${type} room refuses those who were not added`, async () => {
    const room = await newRoom(ada, type);
    const params = { chatroomId: room };
    assertRefused(await ben.client.attempt(getChatroom, { params }), notMember);
    assertRefused(await ben.client.attempt(listChatMessages, { params }), notMember);
    assertRefused(await trySending(ben, room, 'hello?'), notMember);
    assertRefused(await ben.client.attempt(joinChatroom, { params }), notMember);
    const { data } = await ben.client.call(listChatrooms, { query: { type } });
    assert.ok(!data.some(({ id }) => id === room));
    assertRefused(
      await ben.client.attempt(addChatroomMember, { params, body: { userId: ben.id } }),
      insufficientPermissions,
    );
  });

  test(`a ${type} room is open to those whom its creator added, until they are removed`, async () => {
    const room = await newRoom(ada, type);
    const params = { chatroomId: room };
    for (const what of ['added', 'added once']) {
      const { data } = await ada.client.call(addChatroomMember, { params, body: { userId: ben.id } });
      assert.equal(data.memberCount, 2, what);
    }
    assert.equal((await trySending(ben, room, 'thanks')).status, 201);
    const { data: rooms } = await ben.client.call(listChatrooms, { query: { type } });
    assert.ok(rooms.some(({ id }) => id === room));
    const { data: members } = await ben.client.call(listChatroomMembers, { params });
    assert.deepEqual(members.map(({ user }) => user.id).sort(), [ada.id, ben.id].sort());
    const ofBen = { params: { ...params, userId: ben.id } };
    await ada.client.call(removeChatroomMember, ofBen);
    assertRefused(await ada.client.attempt(removeChatroomMember, ofBen), memberNotFound);
    assertRefused(await ben.client.attempt(listChatMessages, { params }), notMember);
  });
}

test('a member who does not exist cannot be added to a room', async () => {
  const params = { chatroomId: await newRoom(ada, 'private') };
  const added = await ada.client.attempt(addChatroomMember, { params, body: { userId: 'f'.repeat(24) } });
  assertRefused(added, userNotFound);
});

test('members join and leave a room once, and the creator cannot leave', async () => {
  const params = { chatroomId: await newRoom(ada) };
  for (let time = 0; time < 2; time++) {
    const { memberCount, joined } = (await ben.client.call(joinChatroom, { params })).data;
    assert.deepEqual([memberCount, joined], [2, true]);
  }
  const listed = async () =>
    (await ben.client.call(listChatrooms)).data.find(({ id }) => id === params.chatroomId);
  assert.equal((await listed())?.joined, true);
  for (let time = 0; time < 2; time++) {
    const { memberCount, joined } = (await ben.client.call(leaveChatroom, { params })).data;
    assert.deepEqual([memberCount, joined], [1, false]);
  }
  assert.equal((await listed())?.joined, false);
  assertRefused(await ada.client.attempt(leaveChatroom, { params }), creatorStays);
  await Promise.all(Array.from({ length: 8 }, () => ben.client.callPatiently(joinChatroom, { params })));
  assert.equal((await ben.client.call(getChatroom, { params })).data.memberCount, 2);
});

test('a member who is deleted leaves every room, and nobody else does', async () => {
  const { id: userId, client } = await platform.newMember();
  const rooms = [await newRoom(ada), await newRoom(ben)];
  const countsOf = async () =>
    Promise.all(
      rooms.map(async (chatroomId) => {
        const { data } = await admin.call(getChatroom, { params: { chatroomId } });
        return data.memberCount;
      }),
    );
  for (const chatroomId of rooms) await client.call(joinChatroom, { params: { chatroomId } });
  assert.deepEqual(await countsOf(), [2, 2]);
  await admin.call(deleteUser, { params: { userId } });
  await until(async () => (await countsOf()).every((count) => count === 1), 'the rooms without the member');
  const [chatroomId = assert.fail()] = rooms;
  const { data: left } = await admin.call(listChatroomMembers, { params: { chatroomId } });
  assert.deepEqual(
    left.map(({ user }) => user.id),
    [ada.id],
  );
});

test('the search reads the rooms that are left in order, a few at a time', async () => {
  const { idsAfter } = standingStore(platform.database);
  const before = (await idsAfter('', 1_000)).at(-1) ?? '';
  const rooms = [await newRoom(ada), await newRoom(ada), await newRoom(ada)];
  await ada.client.call(deleteChatroom, { params: { chatroomId: rooms[1] as string } });
  assert.deepEqual(await idsAfter(before, 1), [rooms[0]]);
  assert.deepEqual(await idsAfter(rooms[0] as string, 2), [rooms[2]]);
});

test('a member creates a limited number of chatrooms, also several at once, and others instead of deleted ones', async () => {
  const eve = await platform.newMember();
  await platform.database.execute(
    `with made as (
       insert into chat.room (id, name, type, created_by, member_count, created_at, updated_at)
       select 'e' || lpad(to_hex(n), 23, '0'), 'no. ' || n, 'private', $1, 1, now(), now()
       from generate_series(1, $2::int) n returning id)
     insert into chat.member (room_id, user_id, is_member, joined_at) select id, $1, true, now() from made`,
    [eve.id, MAX_OWN_ROOMS - 1],
  );
  const create = () =>
    eve.client.attempt(createChatroom, { body: { name: 'One more', type: 'private' as const } });
  const answers = await Promise.all([create(), create(), create()]);
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 2);
  for (const answer of refused) assertRefused(answer, tooManyRooms);
  await eve.client.call(deleteChatroom, { params: { chatroomId: `${'e'.padEnd(23, '0')}1` } });
  assert.equal((await create()).status, 201);
});
