import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  blockMember,
  deleteUser,
  getChatroom,
  getEducatorChatroom,
  handOnChatroom,
  joinChatroom,
  leaveChatroom,
  listAudit,
  muteChatMember,
  runJobQueue,
  updateChatroom,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { blocked } from '../moderation/contract.ts';
import { creatorStays, roomNotFound } from './contract.ts';
import { educatorRoomStays, memberNotFound, ownerHasTooManyRooms } from './failures.ts';
import { MAX_RECEIVED_ROOMS } from './rooms.model.ts';

const platform = await startPlatform();
const { admin, database, newMember } = platform;

type Caller = Pick<Member, 'client'>;
const handOn = (
  { client }: Caller,
  chatroomId: string,
  { id: userId }: Pick<Member, 'id'>,
  reason?: string,
) => client.attempt(handOnChatroom, { params: { chatroomId }, body: { userId, ...(reason && { reason }) } });
const join = ({ client }: Caller, chatroomId: string) =>
  client.call(joinChatroom, { params: { chatroomId } });
const add = ({ client }: Caller, chatroomId: string, { id: userId }: Member) =>
  client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
const rename = ({ client }: Caller, chatroomId: string) =>
  client.attempt(updateChatroom, { params: { chatroomId }, body: { name: 'Oil' } });
const ownerOf = async (chatroomId: string) =>
  (await admin.attempt(getChatroom, { params: { chatroomId } })).data?.createdBy;

/** Makes a member the owner of many rooms. */
const giveRooms = ({ id }: Member, count: number) =>
  database.execute(
    `with made as (
       insert into chat.room (id, name, type, created_by, member_count, created_at, updated_at)
       select substr(md5($1 || n), 1, 24), 'no. ' || n, 'private', $1, 1, now(), now()
       from generate_series(1, $2::integer) n returning id)
     insert into chat.member (room_id, user_id, is_member, joined_at) select id, $1, true, now() from made`,
    [id, count],
  );

test('the creator of a room hands it on to a member, who manages it then, and may leave', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const room = await newRoom(ada, 'private');
  assertRefused(await handOn(ada, room, ben), memberNotFound);
  await add(ada, room, ben);
  await ada.client.call(muteChatMember, {
    params: { chatroomId: room, userId: ben.id },
    body: { minutes: 5 },
  });
  assertRefused(await handOn(ben, room, ben), insufficientPermissions);
  for (let time = 0; time < 2; time++) {
    const { status, data } = await handOn(time ? ben : ada, room, ben);
    assert.deepEqual(
      [status, data?.createdBy, data?.memberCount],
      [200, ben.id, 2],
      'the second has no effect',
    );
  }
  assertRefused(await rename(ada, room), insufficientPermissions);
  assert.equal((await rename(ben, room)).status, 200);
  const params = { chatroomId: room };
  assert.equal((await ben.client.call(getChatroom, { params })).data.mutedUntil, null);
  assertRefused(await ben.client.attempt(leaveChatroom, { params }), creatorStays);
  assert.equal((await ada.client.call(leaveChatroom, { params })).data.memberCount, 1);
});

test('an administrator hands on a room with a reason, which is recorded', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const room = await newRoom(ada);
  await join(ben, room);
  assert.equal((await handOn({ client: admin }, room, ben, 'She is on leave')).data?.createdBy, ben.id);
  const { data } = await admin.call(listAudit, { query: { target: room } });
  assert.deepEqual(
    data.map(({ action, reason, changes }) => [action, reason, changes]),
    [['chatroom.changed', 'She is on leave', { createdBy: [ada.id, ben.id] }]],
  );
});

test('a room is not handed on to who has blocked its creator or has many rooms, nor is that of an educator', async () => {
  const [ada, ben, cat] = [await newEducator(platform), await newMember(), await newMember()];
  const room = await newRoom(ada);
  await join(cat, room);
  await giveRooms(cat, MAX_RECEIVED_ROOMS);
  assertRefused(await handOn(ada, room, cat), ownerHasTooManyRooms);
  await join(ben, room);
  await ben.client.call(blockMember, { params: { userId: ada.id } });
  assertRefused(await handOn(ada, room, ben), blocked);
  const { data } = await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } });
  const dan = await newMember();
  await join(dan, data.chatroomId);
  assertRefused(await handOn(ada, data.chatroomId, dan), educatorRoomStays);
  assertRefused(await handOn(ada, 'f'.repeat(24), dan), roomNotFound);
});

test('the rooms of a deleted member go to who has been in them for longest, and those without others are deleted', async () => {
  const [ada, rich, muted, ben, cat] = await Promise.all(Array.from({ length: 5 }, newMember));
  assert.ok(ada && rich && muted && ben && cat);
  const [shared, lonely] = [await newRoom(ada), await newRoom(ada, 'private')];
  for (const member of [rich, muted, ben, cat]) {
    await join(member, shared);
    platform.clock.advance(1_000);
  }
  await giveRooms(rich, MAX_RECEIVED_ROOMS);
  const mute = { params: { chatroomId: shared, userId: muted.id }, body: { minutes: 60 } };
  await ada.client.call(muteChatMember, mute);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await ownerOf(shared)) === ben.id, 'the next owner');
  await until(async () => (await ownerOf(lonely)) === undefined, 'the deletion of the room without members');
  assert.equal((await rename(ben, shared)).data?.memberCount, 4);
  const [row] = await database.all('select name, description from chat.room where id = $1', [lonely]);
  assert.deepEqual(row, { name: 'A former chatroom', description: '' });

  await admin.call(deleteUser, { params: { userId: ben.id } });
  await until(async () => (await ownerOf(shared)) === cat.id, 'the owner after that');
});

test('a room goes to no deactivated account, neither by its owner nor by the deletion of the owner', async () => {
  const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
  const room = await newRoom(ada);
  for (const member of [ben, cat]) {
    await join(member, room);
    platform.clock.advance(1_000);
  }
  await admin.call(updateUser, { params: { userId: ben.id }, body: { isActive: false } });
  assertRefused(await handOn(ada, room, ben), memberNotFound);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await until(async () => (await ownerOf(room)) !== ada.id, 'the next owner');
  assert.equal(await ownerOf(room), cat.id);
});

test('rooms of accounts that were erased before rooms were passed on get an owner, and those without members are deleted', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const [shared, lonely] = [await newRoom(ada), await newRoom(ada)];
  const own = await newRoom(ben);
  await join(ben, shared);
  const gone = 'f'.repeat(24);
  await database.execute(
    'update chat.room set created_by = $2, member_count = member_count - 1 where id = any($1)',
    [[shared, lonely], gone],
  );
  await database.execute('delete from chat.member where room_id = any($1) and user_id = $2', [
    [shared, lonely],
    ada.id,
  ]);
  for (let time = 0; time < 2; time++) {
    await admin.call(runJobQueue, { params: { queue: 'chat.repair' }, body: { reason: 'Now' } });
    await until(async () => (await ownerOf(shared)) === ben.id, 'the next owner');
    await until(
      async () => (await ownerOf(lonely)) === undefined,
      'the deletion of the room without members',
    );
  }
  assert.equal((await rename(ben, shared)).data?.memberCount, 1);
  assert.equal(await ownerOf(own), ben.id);
});
