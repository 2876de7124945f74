import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  banCommunityMember,
  createComment,
  createCommunity,
  createPost,
  deleteComment,
  deleteCommunity,
  deletePost,
  deleteUser,
  getCommunity,
  getPost,
  joinCommunity,
  listAudit,
  listCommunityBans,
  listCommunityMembers,
  listNotifications,
  listReports,
  reactToPost,
  report,
  takeBackReaction,
  unbanCommunityMember,
  updatePost,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { bannedFromCommunity, communityNotFound, creatorNotBanned } from './failures.ts';
import { postNotFound } from './posts.ts';

// How the creator of a community moderates it.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const ada = await newEducator(platform);

/** A community of Ada's with a member, who has posted. */
async function communityOf(member: Member) {
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  const params = { communityId };
  await member.client.call(joinCommunity, { params });
  const { data: post } = await member.client.call(createPost, { params, body: { content: 'Buy now' } });
  return { params, ofPost: { params: { postId: post.id } } };
}
const bansOf = async (params: { communityId: string }) =>
  (await ada.client.call(listCommunityBans, { params })).data.map(({ userId }) => userId);

test('the creator of a community deletes posts and comments of others, who are notified of the reason', async () => {
  const [ben, other] = [await platform.newMember(), await newEducator(platform)];
  const { params, ofPost } = await communityOf(ben);
  await ada.client.call(createPost, { params, body: { content: 'Welcome' } });
  const { data: comment } = await ben.client.call(createComment, { ...ofPost, body: { content: 'Cheap' } });
  const ofComment = { params: { commentId: comment.id } };
  const { id: subjectId } = (await ben.client.call(getPost, ofPost)).data;
  await other.client.call(report, { body: { kind: 'post', subjectId, reason: 'Spam' } });
  // The creator of another community is a member like others here.
  assertRefused(await other.client.attempt(deletePost, ofPost), insufficientPermissions);
  assertRefused(await other.client.attempt(deleteComment, ofComment), insufficientPermissions);
  const rewritten = { ...ofPost, body: { content: 'I love Ada' } };
  assertRefused(await ada.client.attempt(updatePost, rewritten), insufficientPermissions);
  const reason = 'No advertising here';
  await ada.client.call(deleteComment, { ...ofComment, body: { reason } });
  assert.equal((await ben.client.call(getPost, ofPost)).data.commentCount, 0);
  await ada.client.call(deletePost, { ...ofPost, body: { reason } });
  assertRefused(await ben.client.attempt(getPost, ofPost), postNotFound);
  const told = async () => (await ben.client.call(listNotifications, { query: { type: 'moderation' } })).data;
  await until(async () => (await told()).length === 2, 'the notifications');
  assert.deepEqual(
    (await told()).map(({ message }) => message),
    [reason, reason],
  );
  const [entry] = (await admin.call(listAudit, { query: { action: 'post.removed', target: subjectId } }))
    .data;
  assert.deepEqual([entry?.actor, entry?.reason], [ada.id, reason]);
  const { data: open } = await admin.call(listReports, { query: { kind: 'post', status: 'open' } });
  assert.ok(
    open.some((one) => one.subjectId === subjectId),
    'moderators decide about the report',
  );
});

test('a banned member is removed, and neither joins, posts, comments nor reacts until the ban is lifted', async () => {
  const ben = await platform.newMember();
  const { params, ofPost } = await communityOf(ben);
  await ben.client.call(reactToPost, { ...ofPost, body: { type: 'like' } });
  const ofBen = { params: { ...params, userId: ben.id } };
  for (let time = 0; time < 2; time++) {
    const { data } = await ada.client.call(banCommunityMember, ofBen);
    assert.deepEqual(data, { ...ofBen.params, banned: true });
  }
  const { data: members } = await ada.client.call(listCommunityMembers, { params });
  assert.deepEqual(
    members.map(({ userId }) => userId),
    [ada.id],
  );
  assert.equal((await ben.client.call(getCommunity, { params })).data.memberCount, 1);
  for (const refused of [
    await ben.client.attempt(joinCommunity, { params }),
    await ben.client.attempt(createPost, { params, body: { content: 'Again' } }),
    await ben.client.attempt(createComment, { ...ofPost, body: { content: 'Again' } }),
    await ben.client.attempt(reactToPost, { ...ofPost, body: { type: 'love' } }),
    await ben.client.attempt(takeBackReaction, ofPost),
  ])
    assertRefused(refused, bannedFromCommunity);
  assert.equal((await ben.client.call(getPost, ofPost)).data.content, 'Buy now', 'reading stays open to all');
  const [listed] = (await ada.client.call(listCommunityBans, { params })).data;
  assert.deepEqual([listed?.userId, listed?.user.id], [ben.id, ben.id]);
  for (let time = 0; time < 2; time++) await ada.client.call(unbanCommunityMember, ofBen);
  assert.deepEqual(await bansOf(params), []);
  assert.equal((await ben.client.call(joinCommunity, { params })).data.memberCount, 2);
});

test('only the creator and moderators ban and see bans, and never ban the creator', async () => {
  const [ben, eve] = [await platform.newMember(), await newEducator(platform)];
  const { params } = await communityOf(ben);
  const ofEve = { params: { ...params, userId: eve.id } };
  for (const { client } of [ben, eve]) {
    assertRefused(await client.attempt(banCommunityMember, ofEve), insufficientPermissions);
    assertRefused(await client.attempt(unbanCommunityMember, ofEve), insufficientPermissions);
    assertRefused(await client.attempt(listCommunityBans, { params }), insufficientPermissions);
  }
  await admin.call(banCommunityMember, ofEve);
  assertRefused(await eve.client.attempt(joinCommunity, { params }), bannedFromCommunity);
  assert.deepEqual(await bansOf(params), [eve.id]);
  for (const client of [admin, ada.client]) {
    const ofAda = { params: { ...params, userId: ada.id } };
    assertRefused(await client.attempt(banCommunityMember, ofAda), creatorNotBanned);
  }
  const nobody = { params: { ...params, userId: 'f'.repeat(24) } };
  assertRefused(await ada.client.attempt(banCommunityMember, nobody), userNotFound);
  const nowhere = { params: { communityId: 'f'.repeat(24), userId: eve.id } };
  assertRefused(await ada.client.attempt(banCommunityMember, nowhere), communityNotFound);
});

test('the audit log has whom staff bans from the community of another member, and why, and not what its creator does', async () => {
  const ben = await platform.newMember();
  const { params } = await communityOf(ben);
  const { communityId: target } = params;
  const ofBen = { params: { ...params, userId: ben.id } };
  await ada.client.call(banCommunityMember, ofBen);
  await ada.client.call(unbanCommunityMember, ofBen);
  // What is repeated changes nothing, and is not recorded.
  for (let time = 0; time < 2; time++)
    await admin.call(banCommunityMember, { ...ofBen, body: { reason: 'Spam in comments' } });
  for (let time = 0; time < 2; time++)
    await admin.call(unbanCommunityMember, { ...ofBen, body: { reason: 'Has apologized' } });
  const { data } = await admin.call(listAudit, { query: { target } });
  const details = { userId: ben.id, authorId: ada.id };
  assert.deepEqual(
    data.map((entry) => [entry.action, entry.reason, entry.details]),
    [
      ['community.member-unbanned', 'Has apologized', details],
      ['community.member-banned', 'Spam in comments', details],
    ],
  );
});

test('who is banned while joining is not in the community afterwards', async () => {
  const { params } = await communityOf(await platform.newMember());
  for (let round = 0; round < 8; round++) {
    const eve = await platform.newMember();
    const ban = { params: { ...params, userId: eve.id } };
    await Promise.all([
      ada.client.call(banCommunityMember, ban),
      ...[1, 2].map(() => eve.client.attempt(joinCommunity, { params })),
    ]);
    assert.equal((await eve.client.call(getCommunity, { params })).data.joined, false);
  }
  assert.equal((await ada.client.call(getCommunity, { params })).data.memberCount, 2);
});

test('bans end with the account of the banned member, and with the community', async () => {
  const [ben, eve] = [await platform.newMember(), await platform.newMember()];
  const { params } = await communityOf(ben);
  for (const { id: userId } of [ben, eve])
    await ada.client.call(banCommunityMember, { params: { ...params, userId } });
  await admin.call(deleteUser, { params: { userId: ben.id } });
  await until(async () => (await bansOf(params)).join() === eve.id, 'the end of the ban');
  await ada.client.call(deleteCommunity, { params });
  const left = () =>
    database.all('select user_id from community.ban where community_id = $1', [params.communityId]);
  await until(async () => (await left()).length === 0, 'the end of all bans');
});
