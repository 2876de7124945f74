import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  createChatroom,
  joinChatroom,
  leaveChatroom,
  muteUser,
  removeChatroomMember,
} from '../../../sdk/src/index.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { muted } from '../moderation/contract.ts';
import { ADDED_MEMBERS, NEW_ROOMS, NEW_ROOMS_OF_EDUCATORS } from './allowances.ts';
import { memberLeft, tooManyAdded, tooManyNewRooms } from './failures.ts';
import { LEFT_ALONE_DAYS } from './rooms.model.ts';

const platform = await startPlatform();
const { admin } = platform;

const create = ({ client }: Pick<Member, 'client'>) =>
  client.attempt(createChatroom, { body: { name: 'Gold', type: 'private' } });
const add = ({ client }: Pick<Member, 'client'>, chatroomId: string, { id: userId }: Member) =>
  client.attempt(addChatroomMember, { params: { chatroomId }, body: { userId } });
const leave = ({ client }: Member, chatroomId: string) =>
  client.call(leaveChatroom, { params: { chatroomId } });

async function newHolder(permission: string): Promise<Member> {
  const member = await platform.newMember();
  await admin.call(assignPermissions, {
    params: { userId: member.id },
    body: { permissions: [permission] },
  });
  return member;
}

test('a member creates a limited number of rooms an hour, educators more, and moderators as many as they need', async () => {
  const eve = await platform.newMember();
  for (let made = 0; made < NEW_ROOMS.limit; made++) assert.equal((await create(eve)).status, 201);
  const refused = await create(eve);
  assertRefused(refused, () => tooManyNewRooms(1));
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000);

  const teacher = await newHolder('educator');
  for (let made = 0; made < NEW_ROOMS_OF_EDUCATORS.limit; made++)
    assert.equal((await create(teacher)).status, 201);
  assertRefused(await create(teacher), () => tooManyNewRooms(1));

  const moderator = await newHolder('moderator');
  for (let made = 0; made <= NEW_ROOMS_OF_EDUCATORS.limit; made++)
    assert.equal((await create(moderator)).status, 201);
});

test('a member adds a limited number of others to rooms an hour, also the same one again and again', async () => {
  const [eve, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(eve, 'private');
  for (let added = 0; added < ADDED_MEMBERS.limit; added++)
    assert.equal((await add(eve, room, ben)).status, 201);
  assertRefused(await add(eve, room, ben), () => tooManyAdded(1));
  assert.equal((await add({ client: admin }, room, ben)).status, 201, 'administrators are not limited');
});

test('a member who is muted everywhere creates no rooms', async () => {
  const eve = await platform.newMember();
  await admin.call(muteUser, { params: { userId: eve.id }, body: { minutes: 10, reason: 'Spam' } });
  assertRefused(await create(eve), muted);
});

test('who left a room is not added to it again for a month, except by an administrator', async () => {
  const [eve, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(eve, 'private');
  assert.equal((await add(eve, room, ben)).status, 201);
  await leave(ben, room);
  assertRefused(await add(eve, room, ben), memberLeft);
  assert.equal((await add({ client: admin }, room, ben)).status, 201, 'when ben asks for it');
  await leave(ben, room);
  const leftDaysAgo = (days: number) =>
    platform.database.execute(
      'update chat.member set left_at = now() - make_interval(days => $3) where room_id = $1 and user_id = $2',
      [room, ben.id, days],
    );
  await leftDaysAgo(LEFT_ALONE_DAYS - 1);
  assertRefused(await add(eve, room, ben), memberLeft);
  await leftDaysAgo(LEFT_ALONE_DAYS + 1);
  assert.equal((await add(eve, room, ben)).status, 201);
});

test('who joins again by themselves, or was removed by others, can be added', async () => {
  const [eve, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(eve);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  await leave(ben, room);
  assertRefused(await add(eve, room, ben), memberLeft);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  const params = { chatroomId: room, userId: ben.id };
  await eve.client.call(removeChatroomMember, { params });
  assert.equal((await add(eve, room, ben)).status, 201);
});
