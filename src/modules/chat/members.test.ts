// Who is in a room: of the members' list, and of the lists of rooms that are not public.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  addChatroomMember,
  joinChatroom,
  leaveChatroom,
  listChatroomMembers,
  listChatrooms,
  muteChatMember,
} from '../../../sdk/src/index.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { SHOWN_MEMBERS } from './rooms.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;

const add = ({ client }: Member, chatroomId: string, { id: userId }: Member) =>
  client.call(addChatroomMember, { params: { chatroomId }, body: { userId } });
const membersOf = async ({ client }: Pick<Member, 'client'>, chatroomId: string) =>
  (await client.call(listChatroomMembers, { params: { chatroomId } })).data;
const listed = async ({ client }: Pick<Member, 'client'>, room: string) =>
  (await client.call(listChatrooms, { query: { limit: 100 } })).data.find(({ id }) => id === room);

test('members are listed with their role, and who is connected to the room', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const room = await newRoom(ada, 'group');
  await add(ada, room, ben);
  const live = await LiveClient.open(platform.url, ben.accessToken);
  await live.enter(room);
  const seen = async () =>
    Object.fromEntries(
      (await membersOf(ada, room)).map(({ userId, role, online }) => [userId, [role, online]]),
    );
  const expected = { [ada.id]: ['owner', false], [ben.id]: ['member', true] };
  await until(async () => isDeepStrictEqual(await seen(), expected), 'who is there');
  live.close();
});

test('the mute of a member is shown to themselves and to who moderates the room, until it ends', async () => {
  const [ada, ben, cat] = [await newMember(), await newMember(), await newMember()];
  const room = await newRoom(ada);
  for (const { client } of [ben, cat]) await client.call(joinChatroom, { params: { chatroomId: room } });
  const mute = { params: { chatroomId: room, userId: ben.id }, body: { minutes: 5 } };
  await ada.client.call(muteChatMember, mute);
  const mutedFor = async (one: Pick<Member, 'client'>) =>
    (await membersOf(one, room)).find(({ userId }) => userId === ben.id)?.mutedUntil !== null;
  const all = [ada, ben, cat, { client: admin }];
  assert.deepEqual(await Promise.all(all.map(mutedFor)), [true, true, false, true]);
  platform.clock.advance(5 * 60_000);
  assert.deepEqual(await Promise.all(all.map(mutedFor)), [false, false, false, false]);
});

test('rooms that are not public show some of the others, public ones nobody', async () => {
  const everyone = await Promise.all(Array.from({ length: SHOWN_MEMBERS + 2 }, newMember));
  const [ada, ben] = everyone as [Member, Member];
  const [pair, group, open] = [
    await newRoom(ada, 'private'),
    await newRoom(ada, 'group'),
    await newRoom(ada),
  ];
  await add(ada, pair, ben);
  for (const one of everyone.slice(1)) await add(ada, group, one);
  await ben.client.call(joinChatroom, { params: { chatroomId: open } });
  const named = async (one: Member, room: string) => (await listed(one, room))?.members.map(({ id }) => id);
  assert.deepEqual(await named(ada, pair), [ben.id]);
  assert.deepEqual(await named(ben, pair), [ada.id]);
  assert.equal((await named(ben, group))?.length, SHOWN_MEMBERS);
  assert.ok(!(await named(ben, group))?.includes(ben.id));
  assert.deepEqual(await named(ben, open), []);
  const left = await ben.client.call(leaveChatroom, { params: { chatroomId: pair } });
  assert.deepEqual(left.data.members, [], 'who is not in it any more does not learn who is');
});
