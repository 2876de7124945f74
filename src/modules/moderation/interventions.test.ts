// Interventions of administrators and moderators take effect, are recorded with the reason, and their author is
// notified.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  cancelLivestream,
  createAnnouncement,
  createAnnouncementComment,
  createComment,
  createCommunity,
  createLivestream,
  createPost,
  createTrade,
  deleteAnnouncement,
  deleteAnnouncementComment,
  deleteComment,
  deleteCommunity,
  deleteCourse,
  deletePost,
  deleteTrade,
  endLivestream,
  getAnnouncement,
  getCommunity,
  getCourse,
  getPost,
  getTrade,
  joinCommunity,
  listAudit,
  listNotifications,
  startLivestream,
  updateAnnouncement,
  updateAnnouncementComment,
  updateComment,
  updateCommunity,
  updateCourse,
  updateLivestream,
  updatePost,
  updateTrade,
} from '../../../sdk/src/index.ts';
import type { Client } from '../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { tradeIsClosed } from '../trades/trades.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await newEducator(platform);
const [ben, eve] = [await platform.newMember(), await platform.newMember()];
await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
const reason = 'Against the rules';

const community = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
await ben.client.call(joinCommunity, { params: { communityId: community.id } });
const newPost = async ({ client }: Pick<Member, 'client'>) =>
  (await client.call(createPost, { params: { communityId: community.id }, body: { content: 'Gold' } })).data;
const newTrade = async ({ client }: Pick<Member, 'client'>) =>
  (
    await client.call(createTrade, {
      body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400, stopLoss: 2_300 },
    })
  ).data;
const newAnnouncement = async () =>
  (
    await ada.client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Tonight', content: 'At eight' },
    })
  ).data;

/** Asserts that the log records the action and the reason, and that the author is notified; returns the entry. */
async function assertTold(
  author: Pick<Member, 'client' | 'id'>,
  action: string,
  target: string,
  title: RegExp,
) {
  const [entry] = (await admin.call(listAudit, { query: { action, target } })).data;
  assert.deepEqual([entry?.reason, entry?.details], [reason, { authorId: author.id }], action);
  await until(async () => {
    const { data } = await author.client.call(listNotifications, { query: { type: 'moderation' } });
    return data.some((one) => title.test(one.title) && one.message === reason);
  }, `the notification of ${action}`);
  return entry;
}

test('moderators change and delete posts of others, and the authors are notified of the reason', async () => {
  const post = await newPost(ben);
  const params = { postId: post.id };
  const stranger = await platform.newMember();
  assertRefused(
    await stranger.client.attempt(updatePost, { params, body: { content: 'Mine' } }),
    insufficientPermissions,
  );
  const { data } = await eve.client.call(updatePost, { params, body: { content: 'Silver', reason } });
  assert.deepEqual([data.content, data.user.id], ['Silver', ben.id]);
  const entry = await assertTold(ben, 'post.changed', post.id, /post was changed/);
  assert.deepEqual([entry?.actor, entry?.changes], [eve.id, { content: ['Gold', 'Silver'] }]);
  await eve.client.call(deletePost, { params, body: { reason } });
  assert.equal((await ben.client.attempt(getPost, { params })).status, 404);
  await assertTold(ben, 'post.removed', post.id, /post was removed/);
});

test('changes by authors themselves are neither recorded nor notified', async () => {
  const post = await newPost(ben);
  await ben.client.call(updatePost, { params: { postId: post.id }, body: { content: 'Copper', reason } });
  await ben.client.call(deletePost, { params: { postId: post.id } });
  for (const action of ['post.changed', 'post.removed'])
    assert.deepEqual((await admin.call(listAudit, { query: { action, target: post.id } })).data, []);
});

test('moderators change and delete comments on posts and announcements', async () => {
  const post = await newPost(ada);
  const onPost = (
    await ben.client.call(createComment, { params: { postId: post.id }, body: { content: 'At last' } })
  ).data;
  const own = { params: { commentId: onPost.id } };
  assert.equal(
    (await ben.client.call(updateComment, { ...own, body: { content: 'No' } })).data.content,
    'No',
  );
  await eve.client.call(updateComment, { ...own, body: { content: 'Yes', reason } });
  await assertTold(ben, 'comment.changed', onPost.id, /comment was changed/);
  await eve.client.call(deleteComment, { ...own, body: { reason } });
  await assertTold(ben, 'comment.removed', onPost.id, /comment was removed/);
  const params = { announcementId: (await newAnnouncement()).id };
  const written = (await ben.client.call(createAnnouncementComment, { params, body: { content: 'Good' } }))
    .data;
  const comment = { params: { commentId: written.id } };
  assertRefused(
    await ada.client.attempt(updateAnnouncementComment, { ...comment, body: { content: 'Bad' } }),
    insufficientPermissions,
    'an educator does not write for others',
  );
  await eve.client.call(updateAnnouncementComment, { ...comment, body: { content: 'Bad', reason } });
  await assertTold(ben, 'announcement-comment.changed', written.id, /comment was changed/);
  await eve.client.call(deleteAnnouncementComment, { ...comment, body: { reason } });
  await assertTold(ben, 'announcement-comment.removed', written.id, /comment was removed/);
});

test('only administrators change and delete announcements of others', async () => {
  const { id } = await newAnnouncement();
  const params = { announcementId: id };
  assert.equal((await eve.client.attempt(deleteAnnouncement, { params })).status, 403);
  const other = await newEducator(platform);
  assertRefused(await other.client.attempt(deleteAnnouncement, { params }), insufficientPermissions);
  const { data } = await admin.call(updateAnnouncement, { params, body: { title: 'Tomorrow', reason } });
  assert.deepEqual([data.title, data.content], ['Tomorrow', 'At eight']);
  const entry = await assertTold(ada, 'announcement.changed', id, /announcement was changed/);
  assert.deepEqual([entry?.targetName, entry?.changes], ['Tonight', { title: ['Tonight', 'Tomorrow'] }]);
  await admin.call(deleteAnnouncement, { params, body: { reason } });
  assert.equal((await ben.client.attempt(getAnnouncement, { params })).status, 404);
  await assertTold(ada, 'announcement.removed', id, /announcement was removed/);
});

test('trade ideas are changed and deleted by their author and by moderators', async () => {
  const { id } = await newTrade(ben);
  const params = { tradeId: id };
  const changed = await ben.client.call(updateTrade, { params, body: { note: 'Late', stopLoss: null } });
  assert.deepEqual(
    [changed.data.note, changed.data.stopLoss, changed.data.entryPrice],
    ['Late', null, 2_400],
  );
  assert.equal((await ada.client.attempt(deleteTrade, { params })).status, 403);
  await eve.client.call(updateTrade, { params, body: { note: '', reason } });
  await assertTold(ben, 'trade.changed', id, /trade idea was changed/);
  await ben.client.raw('POST', `/v1/trades/${id}/close`, { exitPrice: 2_500 });
  assertRefused(await ben.client.attempt(updateTrade, { params, body: { takeProfit: 9 } }), tradeIsClosed);
  await eve.client.call(deleteTrade, { params, body: { reason } });
  assert.equal((await ben.client.attempt(getTrade, { params })).status, 404);
  await assertTold(ben, 'trade.removed', id, /trade idea was removed/);
});

const newLivestream = async (title: string) => {
  const body = { title, scheduledStart: '2030-01-01T10:00Z', scheduledEnd: '2030-01-01T11:00Z' };
  return (await ada.client.call(createLivestream, { body })).data;
};

test('livestreams of others are started, ended and cancelled by administrators', async () => {
  const params = { livestreamId: (await newLivestream('Gold')).id };
  for (const operation of [startLivestream, endLivestream])
    await admin.call(operation, { params, body: { reason } });
  await assertTold(ada, 'livestream.changed', params.livestreamId, /livestream was changed/);
  const { data } = await admin.call(listAudit, { query: { target: params.livestreamId } });
  assert.deepEqual(
    data.map(({ changes }) => changes),
    [{ status: ['live', 'ended'] }, { status: ['scheduled', 'live'] }],
  );
  const other = { livestreamId: (await newLivestream('Silver')).id };
  await admin.call(cancelLivestream, { params: other, body: { reason } });
  const entry = await assertTold(ada, 'livestream.changed', other.livestreamId, /livestream was changed/);
  assert.deepEqual([entry?.targetName, entry?.changes], ['Silver', { status: ['scheduled', 'cancelled'] }]);
});

test('courses of others are changed and deleted by administrators', async () => {
  const { course } = await newCourse(platform, { owner: ada });
  const params = { courseId: course.id };
  await admin.call(updateCourse, { params, body: { status: 'draft', reason } });
  const changed = await assertTold(ada, 'course.changed', course.id, /course was changed/);
  assert.deepEqual(
    [changed?.targetName, changed?.changes],
    [course.title, { status: ['published', 'draft'] }],
  );
  await admin.call(deleteCourse, { params, body: { reason } });
  assert.equal((await ada.client.attempt(getCourse, { params })).status, 404);
  await assertTold(ada, 'course.removed', course.id, /course was removed/);
});

test('livestreams of others are changed by moderators', async () => {
  const { id } = await newLivestream('Gold');
  const change = (client: Client) =>
    client.attempt(updateLivestream, { params: { livestreamId: id }, body: { title: 'Silver', reason } });
  assert.equal((await change(ben.client)).status, 403);
  assert.equal((await change(eve.client)).data?.title, 'Silver');
  await assertTold(ada, 'livestream.changed', id, /livestream was changed/);
});

test('a community is changed by its creator and moderators, and deleted with its posts', async () => {
  const one = (await ada.client.call(createCommunity, { body: { name: 'Oil', description: 'Crude' } })).data;
  const params = { communityId: one.id };
  await ben.client.call(joinCommunity, { params });
  assert.equal((await ben.client.attempt(deleteCommunity, { params })).status, 403);
  const { data } = await ada.client.call(updateCommunity, { params, body: { name: ' Gas ' } });
  assert.deepEqual([data.name, data.description, data.memberCount], ['Gas', 'Crude', 2]);
  const post = (await ben.client.call(createPost, { params, body: { content: 'Brent' } })).data;
  await eve.client.call(deleteCommunity, { params, body: { reason } });
  assert.equal((await ben.client.attempt(getCommunity, { params })).status, 404);
  assert.equal((await ben.client.attempt(joinCommunity, { params })).status, 404);
  await assertTold(ada, 'community.removed', one.id, /community was removed/);
  const postGone = async () =>
    (await ben.client.attempt(getPost, { params: { postId: post.id } })).status === 404;
  await until(postGone, 'its posts are deleted');
});

test('two concurrent deletions of one record are recorded once', async () => {
  const post = await newPost(ben);
  const deleted = () => eve.client.attempt(deletePost, { params: { postId: post.id }, body: { reason } });
  const answers = await Promise.all(Array.from({ length: 5 }, deleted));
  assert.ok(answers.every(({ status }) => status === 200 || status === 404));
  const { data } = await admin.call(listAudit, { query: { action: 'post.removed', target: post.id } });
  assert.equal(data.length, 1);
});
