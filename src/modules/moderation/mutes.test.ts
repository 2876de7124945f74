import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  createAnnouncementComment,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  deleteUser,
  getMember,
  getOverviewOfUser,
  getProfile,
  joinCommunity,
  listAudit,
  listChatMessages,
  muteUser,
  sendChatMessage,
  unmuteUser,
  updateProfile,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { holding, untilAvailable } from '../../../test/support/holding.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { changedMeanwhile } from '../../kernel/operations/lost-updates.ts';
import { userNotFound } from '../identity/contract.ts';
import { muted } from './contract.ts';
import { staffNotMuted } from './mutes.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const ada = await newEducator(platform);
const eve = await platform.newMember();
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
const reason = 'Spam';

const { client } = ada;
const rooms: string[] = [];
for (const name of ['Tape', 'Open'])
  rooms.push((await client.call(createChatroom, { body: { name, type: 'public' } })).data.id);
const community = (await client.call(createCommunity, { body: { name: 'Metals' } })).data;
const postParams = { communityId: community.id };
const post = (await client.call(createPost, { params: postParams, body: { content: 'Gold' } })).data;
const announcement = (
  await client.call(createAnnouncement, {
    params: { educatorId: ada.id },
    body: { title: 'Tonight', content: 'At eight' },
  })
).data;

/** Tries to write in each place. */
const writings = ({ client }: Member) => [
  ...rooms.map((chatroomId) =>
    client.attempt(sendChatMessage, { params: { chatroomId }, body: { message: 'Buy!' } }),
  ),
  client.attempt(createPost, { params: postParams, body: { content: 'Buy!' } }),
  client.attempt(createComment, { params: { postId: post.id }, body: { content: 'Buy!' } }),
  client.attempt(createAnnouncementComment, {
    params: { announcementId: announcement.id },
    body: { content: 'Buy!' },
  }),
  client.attempt(createTrade, { body: { symbol: 'XAU', direction: 'long', entryPrice: 1 } }),
];
const mute = (userId: string, more: object = {}) =>
  eve.client.attempt(muteUser, { params: { userId }, body: { minutes: 10, reason, ...more } });
const isBlocked = async () =>
  (await database.count(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )) > 0;
async function newWriter(): Promise<Member> {
  const member = await platform.newMember();
  await member.client.call(joinCommunity, { params: postParams });
  return member;
}
const statusesOf = async (member: Member) =>
  (await Promise.all(writings(member))).map(({ status }) => status);

test('a muted member cannot write in rooms, post, comment or publish trade ideas until the mute ends', async () => {
  const ben = await newWriter();
  const { data } = await mute(ben.id);
  assert.equal(data?.userId, ben.id);
  const leftMs = new Date(data?.mutedUntil ?? 0).getTime() - platform.clock.now();
  assert.ok(leftMs > 9 * 60_000 && leftMs <= 10 * 60_000);
  for (const answer of await Promise.all(writings(ben))) assertRefused(answer, muted);
  const ended = await eve.client.call(unmuteUser, { params: { userId: ben.id }, body: { reason: 'Enough' } });
  assert.deepEqual([ended.data.mutedUntil, ended.data.wasMutedUntil], [null, data?.mutedUntil]);
  const again = await eve.client.call(unmuteUser, { params: { userId: ben.id }, body: { reason: 'Enough' } });
  assert.equal(again.data.wasMutedUntil, null);
  assert.deepEqual(await statusesOf(ben), [201, 201, 201, 201, 201, 201]);
  const entries = (await admin.call(listAudit, { query: { target: ben.id } })).data;
  assert.deepEqual(
    entries.slice(0, 2).map((entry) => [entry.action, entry.actor, entry.reason]),
    [
      ['user.unmuted', eve.id, 'Enough'],
      ['user.muted', eve.id, reason],
    ],
  );
});

test('a mute that replaces another than the moderator saw is refused, and its repetition is not', async () => {
  const ben = await newWriter();
  const first = await mute(ben.id, { minutes: 60, expectedMutedUntil: null });
  const { mutedUntil } = first.data ?? {};
  assert.equal((await mute(ben.id, { minutes: 60, expectedMutedUntil: null })).status, 200, 'repeated');
  const asAdmin = (more: object) =>
    admin.attempt(muteUser, { params: { userId: ben.id }, body: { minutes: 10, reason, ...more } });
  assertRefused(await asAdmin({ expectedMutedUntil: null }), changedMeanwhile);
  assertRefused(await asAdmin({ expectedMutedUntil: mutedUntil }), changedMeanwhile, 'it was repeated since');
  const shown = (await admin.call(getMember, { params: { id: ben.id } })).data.mutedUntil;
  assert.notEqual(shown, mutedUntil);
  assert.equal((await asAdmin({ expectedMutedUntil: shown })).status, 200);
  assert.equal((await asAdmin({})).status, 200, 'whoever expects nothing replaces any');
  const past = new Date(platform.clock.now() - 1000).toISOString();
  await eve.client.call(unmuteUser, { params: { userId: ben.id }, body: { reason } });
  assert.equal((await asAdmin({ expectedMutedUntil: past })).status, 200, 'it has ended by itself');
});

test('of two moderators who see nobody muted and mute at once one is refused', async () => {
  const ben = await newWriter();
  const body = { reason, expectedMutedUntil: null };
  const answers = await Promise.all([
    mute(ben.id, { minutes: 60, ...body }),
    admin.attempt(muteUser, { params: { userId: ben.id }, body: { minutes: 30, ...body } }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('of several who mute a member at once, each entry of the audit log begins where the one before it ended', async () => {
  const ben = await newWriter();
  await Promise.all([60, 120, 180].map((minutes) => mute(ben.id, { minutes })));
  const { data } = await admin.call(listAudit, { query: { target: ben.id, action: 'user.muted' } });
  const changes = data.map((entry) => entry.changes.mutedUntil);
  assert.equal(changes.length, 3);
  for (const [place, change] of changes.entries()) assert.equal(change?.[0], changes[place + 1]?.[1] ?? null);
});

test('the profile says until when one is muted everywhere, and so does a refusal', async () => {
  const ben = await newWriter();
  const profileOf = async () => (await ben.client.call(getProfile)).data.mutedUntil;
  assert.equal(await profileOf(), null);
  const mutedUntil = (await mute(ben.id, { minutes: 60 })).data?.mutedUntil;
  assert.equal(await profileOf(), mutedUntil);
  const changed = await ben.client.call(updateProfile, { body: { firstName: 'Benjamin' } });
  assert.equal(changed.data.mutedUntil, mutedUntil);
  const refused = await ben.client.attempt(sendChatMessage, {
    params: { chatroomId: rooms[0] as string },
    body: { message: 'Buy!' },
  });
  assertRefused(refused, muted);
  assert.equal((refused.body.meta as { mutedUntil?: string }).mutedUntil, mutedUntil);
  await eve.client.call(unmuteUser, { params: { userId: ben.id } });
  assert.equal(await profileOf(), null);
});

test('a mute expires, and a new one replaces the previous one', async () => {
  const ben = await newWriter();
  await mute(ben.id, { minutes: 60 });
  await mute(ben.id, { minutes: 1 });
  platform.clock.advance(61_000);
  assert.deepEqual(await statusesOf(ben), [201, 201, 201, 201, 201, 201]);
});

test('the member receives a live message, and an educator is muted even in their own room', async () => {
  const live = await LiveClient.open(platform.url, ada.accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id });
  await mute(ada.id);
  await until(() => live.all('member:muted').length === 1, 'the mute');
  const [message] = live.all('member:muted');
  assert.deepEqual([message?.data.userId, message?.data.reason], [ada.id, reason]);
  assertRefused(
    await client.attempt(sendChatMessage, {
      params: { chatroomId: rooms[0] as string },
      body: { message: 'Buy!' },
    }),
    muted,
  );
  await eve.client.call(unmuteUser, { params: { userId: ada.id } });
  await until(() => live.all('member:muted').length === 2, 'the end of the mute');
  assert.equal(live.all('member:muted')[1]?.data.mutedUntil, null);
  live.close();
});

test('deleteMessages removes recent messages from every room and keeps older ones', async () => {
  const [ben, other] = [await newWriter(), await newWriter()];
  for (const chatroomId of rooms)
    for (const writer of [ben, ben, other])
      await writer.client.call(sendChatMessage, { params: { chatroomId }, body: { message: 'Buy!' } });
  const [old] = await database.all<{ id: string }>(
    'select id from chat.message where user_id = $1 order by id limit 1',
    [ben.id],
  );
  await database.execute(
    `update chat.message set created_at = created_at - interval '8 days' where id = $1`,
    [old?.id],
  );
  const reader = await LiveClient.open(platform.url, other.accessToken);
  for (const room of rooms) await reader.enter(room);
  await mute(ben.id, { deleteMessages: true });
  const of = async (userId: string) => {
    const lists = await Promise.all(
      rooms.map((chatroomId) =>
        admin.call(listChatMessages, { params: { chatroomId }, query: { limit: 100 } }),
      ),
    );
    return lists.flatMap(({ data }) => data).filter((one) => one.userId === userId);
  };
  await until(async () => (await of(ben.id)).length === 1, 'the latest messages are deleted');
  assert.equal((await of(ben.id))[0]?.id, old?.id);
  await until(() => reader.all('chat:deleted').length === 3, 'whoever is in the rooms sees them go');
  reader.close();
  assert.equal((await of(other.id)).length, 2);
  for (const chatroomId of rooms) {
    const counts = await database.all<{ count: number; counted: number }>(
      `select message_count as count, (select count(*) from chat.message m where m.room_id = r.id and m.deleted_at is null)
         as counted from chat.room r where id = $1`,
      [chatroomId],
    );
    assert.equal(counts[0]?.count, counts[0]?.counted);
  }
});

test('deleteMessages removes more messages than are deleted at once', async () => {
  const [ben, room] = [await newWriter(), rooms[0] as string];
  await database.execute(
    `with added as (
       insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
       select 'b' || lpad(to_hex(n), 23, '0'), id, $2, 'Buy!', last_seq + n, last_seq + n, $3
       from chat.room, generate_series(1, 201) n where id = $1)
     update chat.room set last_seq = last_seq + 201, message_count = message_count + 201 where id = $1`,
    [room, ben.id, platform.clock.date()],
  );
  await mute(ben.id, { deleteMessages: true });
  const left = () =>
    database.count('select count(*) from chat.message where user_id = $1 and deleted_at is null', [ben.id]);
  await until(async () => (await left()) === 0, 'all are deleted');
});

test('moderators and administrators cannot be muted, and members cannot mute anybody', async () => {
  assertRefused(await mute(platform.adminId), staffNotMuted);
  assertRefused(await mute(eve.id), staffNotMuted);
  const ben = await newWriter();
  const params = { userId: eve.id };
  assert.equal((await ben.client.attempt(muteUser, { params, body: { minutes: 1 } })).status, 403);
  assert.equal((await ben.client.attempt(unmuteUser, { params })).status, 403);
});

test('whoever becomes a moderator while muted may write again', async () => {
  const ben = await newWriter();
  await mute(ben.id);
  await admin.call(assignPermissions, { params: { userId: ben.id }, body: { permissions: ['moderator'] } });
  assert.deepEqual(await statusesOf(ben), [201, 201, 201, 201, 201, 201]);
});

test('a member who has just become a moderator cannot be muted', async () => {
  const ben = await newWriter();
  const refused = await holding(database, async (tx) => {
    await tx.execute(`update identity."user" set permissions = '{moderator}' where id = $1`, [ben.id]);
    const answer = untilAvailable(() => mute(ben.id));
    await until(isBlocked, 'the mute waits for the change');
    return { answer };
  });
  assertRefused(await refused.answer, staffNotMuted);
});

test("a member's overview shows when a mute everywhere ends", async () => {
  const ben = await newWriter();
  const muteOf = async () =>
    (await admin.call(getOverviewOfUser, { params: { userId: ben.id } })).data.mute?.until ?? null;
  assert.equal(await muteOf(), null);
  const { data } = await mute(ben.id);
  assert.equal(await muteOf(), data?.mutedUntil);
  platform.clock.advance(11 * 60_000);
  assert.equal(await muteOf(), null, 'it has ended');
});

test('invalid requests are refused, and unknown members are 404', async () => {
  const ben = await newWriter();
  const path = `/v1/admin/auth/users/${ben.id}/mute`;
  for (const body of [
    {},
    { minutes: 0 },
    { minutes: 1.5 },
    { minutes: 525_601 },
    { minutes: '5' },
    { minutes: 5, reason: ' ' },
  ])
    assertInvalid(await eve.client.raw('PUT', path, body));
  assertRefused(await mute('f'.repeat(24)), userNotFound);
  assertRefused(await eve.client.attempt(unmuteUser, { params: { userId: 'f'.repeat(24) } }), userNotFound);
  await mute(ben.id);
  await admin.call(deleteUser, { params: { userId: ben.id } });
  const left = () => database.all('select user_id from moderation.mute where user_id = $1', [ben.id]);
  await until(async () => (await left()).length === 0, 'the mute is erased');
});
