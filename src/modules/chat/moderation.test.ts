import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  banChatMember,
  createCommunity,
  createPost,
  getChatroom,
  joinChatroom,
  listChatMessages,
  listChatReports,
  listChatRestrictions,
  listChatrooms,
  muteChatMember,
  removeChatroomMember,
  report,
  reportChatMessage,
  resolveChatReport,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say, textsOf, trySending } from '../../../test/support/chatrooms.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { alreadyReported, alreadyResolved, muted, reportNotFound } from '../moderation/contract.ts';
import { banned, creatorStays } from './contract.ts';
import { messageNotFound, slowMode } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];

const mutedUntilOf = async ({ client }: typeof ben, chatroomId: string) =>
  (await client.call(getChatroom, { params: { chatroomId } })).data.mutedUntil;

test('slow mode applies to members, but not to the creator', async () => {
  const room = await newRoom(ada);
  await say(ben, room, 'before');
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { slowModeSeconds: 30 } });
  assert.equal((await trySending(ben, room, 'one')).status, 201);
  const slowed = await trySending(ben, room, 'two');
  assertRefused(slowed, () => slowMode(1));
  assert.ok(Number(slowed.headers.get('retry-after')) > 20);
  for (const message of ['mine', 'mine']) assert.equal((await trySending(ada, room, message)).status, 201);
});

test('slow mode does not refuse a message that is repeated under its clientMessageId', async () => {
  const room = await newRoom(ada);
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { slowModeSeconds: 30 } });
  const first = await trySending(eve, room, 'named', 'slow');
  const again = await trySending(eve, room, 'named', 'slow');
  assert.deepEqual([again.status, again.data?.id], [201, first.data?.id]);
});

test('a muted member cannot send messages until the mute is lifted', async () => {
  const room = await newRoom(ada);
  await say(ben, room, 'before');
  const params = { chatroomId: room, userId: ben.id };
  const mute = { params, body: { minutes: 5 } };
  assertRefused(await eve.client.attempt(muteChatMember, mute), insufficientPermissions);
  assert.ok((await ada.client.call(muteChatMember, mute)).data.mutedUntil);
  const refused = await trySending(ben, room, 'psst');
  assertRefused(refused, muted);
  assert.equal((refused.body.meta as { mutedUntil?: string }).mutedUntil, await mutedUntilOf(ben, room));
  assert.equal((await ada.client.call(unmuteChatMember, { params })).data.mutedUntil, null);
  assert.equal((await trySending(ben, room, 'again')).status, 201);
});

test('a member learns that they are muted in a room, and until when, and nobody else does', async () => {
  const room = await newRoom(ada);
  await ben.client.call(joinChatroom, { params: { chatroomId: room } });
  const listening = async () => {
    const client = await LiveClient.open(platform.url, ben.accessToken);
    await client.ask({ type: 'subscribe', channel: 'notifications', userId: ben.id });
    return client;
  };
  const live = await listening();
  const params = { chatroomId: room, userId: ben.id };
  assert.equal(await mutedUntilOf(ben, room), null);
  const { mutedUntil } = (await ada.client.call(muteChatMember, { params, body: { minutes: 5 } })).data;
  const told = await live.next(({ type }) => type === 'chat:muted');
  assert.deepEqual(told.data, { ...params, mutedUntil });
  assert.equal(await mutedUntilOf(ben, room), mutedUntil);
  assert.equal(await mutedUntilOf(eve, room), null);
  const refused = await live.say(room, 'psst');
  assert.deepEqual([refused.data.code, refused.data.mutedUntil], ['MUTED', mutedUntil]);
  live.close();
  platform.clock.advance(301_000);
  assert.equal(await mutedUntilOf(ben, room), null, 'once it has ended');
  // The former connection is closed as silent by the clock.
  const again = await listening();
  await ada.client.call(unmuteChatMember, { params });
  const ended = await again.next(({ type, data }) => type === 'chat:muted' && data.mutedUntil === null);
  assert.equal(ended.data.chatroomId, room);
  again.close();
});

test('a banned member can neither read nor send, nor come back, until the ban is lifted', async () => {
  const room = await newRoom(ada);
  const ofRoom = { params: { chatroomId: room } };
  const ofBen = { params: { chatroomId: room, userId: ben.id } };
  await say(ben, room, 'before');
  assert.deepEqual((await ada.client.call(banChatMember, ofBen)).data, { ...ofBen.params, banned: true });
  for (const refused of [
    await trySending(ben, room, 'hey'),
    await ben.client.attempt(joinChatroom, ofRoom),
    await ben.client.attempt(listChatMessages, ofRoom),
    await ada.client.attempt(addChatroomMember, { ...ofRoom, body: { userId: ben.id } }),
  ])
    assertRefused(refused, banned);
  const lists = async () => (await ben.client.call(listChatrooms)).data.some(({ id }) => id === room);
  assert.equal(await lists(), false, 'nor follow the room in the list');
  await ada.client.call(unbanChatMember, ofBen);
  assert.equal(await lists(), true);
  assert.equal((await trySending(ben, room, 'back')).status, 201);
});

test('the creator of a room and moderators list who is muted or banned, until that ends', async () => {
  const params = { chatroomId: await newRoom(ada) };
  const of = (userId: string) => ({ params: { ...params, userId } });
  const listed = async (client = ada.client) => {
    const { data, body } = await client.call(listChatRestrictions, { params });
    assert.equal(body.pagination.total, data.length);
    return data.map(({ userId, user, mutedUntil, bannedAt }) => {
      assert.equal(user.id, userId);
      return [userId, mutedUntil !== null, bannedAt !== null];
    });
  };
  assert.deepEqual(await listed(), []);
  await ada.client.call(muteChatMember, { ...of(ben.id), body: { minutes: 5 } });
  await ada.client.call(banChatMember, of(eve.id));
  const both = [
    [ben.id, true, false],
    [eve.id, false, true],
  ]
    .sort()
    .reverse();
  assert.deepEqual(await listed(), both);
  assert.deepEqual(await listed(admin), both);
  for (const { client } of [ben, eve])
    assertRefused(await client.attempt(listChatRestrictions, { params }), insufficientPermissions);
  await ada.client.call(muteChatMember, { ...of(eve.id), body: { minutes: 1 } });
  platform.clock.advance(90_000);
  assert.deepEqual(await listed(), both, 'a mute that has ended is null beside a ban');
  await ada.client.call(unbanChatMember, of(eve.id));
  await ada.client.call(unmuteChatMember, of(ben.id));
  assert.deepEqual(await listed(), []);
});

test('the creator of a room cannot be banned, muted or removed, nor can somebody who does not exist', async () => {
  const chatroomId = await newRoom(ada);
  const params = { chatroomId, userId: ada.id };
  const minutes = { minutes: 5 };
  assertRefused(await admin.attempt(banChatMember, { params }), creatorStays);
  assertRefused(await admin.attempt(muteChatMember, { params, body: minutes }), creatorStays);
  assertRefused(await admin.attempt(removeChatroomMember, { params }), creatorStays);
  const nobody = { params: { chatroomId, userId: 'f'.repeat(24) } };
  assertRefused(await admin.attempt(banChatMember, nobody), userNotFound);
  assertRefused(await admin.attempt(muteChatMember, { ...nobody, body: minutes }), userNotFound);
});

test('a report of anything but a message is not found in the chat', async () => {
  const { client } = await newEducator(platform);
  const { data: community } = await client.call(createCommunity, { body: { name: 'Tin' } });
  const { data: post } = await client.call(createPost, {
    params: { communityId: community.id },
    body: { content: 'Tin!' },
  });
  const { data } = await ben.client.call(report, {
    body: { kind: 'post', subjectId: post.id, reason: 'Spam' },
  });
  const params = { reportId: data.id };
  assertRefused(
    await admin.attempt(resolveChatReport, { params, body: { outcome: 'dismissed' } }),
    reportNotFound,
  );
});

test('a message is reported once by each member, and resolved by moderators', async () => {
  const room = await newRoom(ada);
  const message = await say(ben, room, 'buy my course');
  const params = { chatroomId: room, messageId: message.id };
  const tell = ({ client }: Member) =>
    client.attempt(reportChatMessage, { params, body: { reason: 'Spam' } });
  const { status, data } = await tell(ada);
  assert.deepEqual(
    [status, data?.status, data?.message, data?.messageUserId],
    [201, 'open', 'buy my course', ben.id],
  );
  assertRefused(await tell(ada), alreadyReported);
  await tell(eve);
  const elsewhere = { params: { ...params, chatroomId: await newRoom(ada) }, body: { reason: 'Spam' } };
  const misplaced = await (await platform.newMember()).client.attempt(reportChatMessage, elsewhere);
  assertRefused(misplaced, messageNotFound, 'it is in another room');
  assertRefused(await ada.client.attempt(listChatReports), insufficientPermissions);
  const countOpen = async (): Promise<number> => {
    const { data: open } = await admin.call(listChatReports, { query: { status: 'open' } });
    return open.filter(({ chatroomId }) => chatroomId === room).length;
  };
  assert.equal(await countOpen(), 2);
  const resolution = { params: { reportId: data?.id as string }, body: { outcome: 'removed' as const } };
  assert.equal((await admin.call(resolveChatReport, resolution)).data.status, 'removed');
  assertRefused(await admin.attempt(resolveChatReport, resolution), alreadyResolved);
  assert.equal(await countOpen(), 0);
  assert.deepEqual(await textsOf(ada, room), []);
});
