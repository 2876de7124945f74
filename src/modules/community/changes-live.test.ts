import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createCommunity,
  createPost,
  deleteCommunity,
  deletePost,
  getPost,
  joinCommunity,
  listReports,
  report,
  resolveReport,
  updatePost,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { settled } from '../../../test/support/events.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { ANNOUNCED_PER_HOUR } from '../notifications/contract.ts';

// What connected members learn of posts and communities that are changed and deleted.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, url, database } = platform;
const ada = await newEducator(platform);
const [reader, blocker] = [await platform.newMember(), await platform.newMember()];

async function communityWith(...members: Member[]) {
  const { id } = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  for (const { client } of members) await client.call(joinCommunity, { params: { communityId: id } });
  return id;
}
const publish = async ({ client }: Member, communityId: string) =>
  (await client.call(createPost, { params: { communityId }, body: { content: 'Gold' } })).data;
const listen = (member: Member) => LiveClient.open(url, member.accessToken);
const hears = (listener: LiveClient, type: string, postId: string) =>
  listener.next((one) => one.type === type && one.data.postId === postId, `${type} of ${postId}`);

test('a changed post and a deleted one are sent to all, except to those who blocked the author', async () => {
  const author = await platform.newMember();
  const communityId = await communityWith(author);
  const post = await publish(author, communityId);
  const params = { postId: post.id };
  await blocker.client.call(blockMember, { params: { userId: author.id } });
  const [listener, unwilling] = [await listen(reader), await listen(blocker)];
  await author.client.call(updatePost, { params, body: { content: 'Silver' } });
  const { editedAt, user } = (await reader.client.call(getPost, { params })).data;
  assert.deepEqual((await hears(listener, 'post:updated', post.id)).data, {
    postId: post.id,
    userId: author.id,
    user,
    communityId,
    content: 'Silver',
    editedAt,
  });
  await author.client.call(updatePost, { params, body: { content: 'Silver' } });
  await admin.call(updatePost, { params, body: { content: 'Tin', reason: 'Rude' } });
  await author.client.call(deletePost, { params });
  assert.deepEqual((await hears(listener, 'post:deleted', post.id)).data, { postId: post.id, communityId });
  assert.deepEqual(
    listener.all('post:updated').map(({ data }) => data.content),
    ['Silver', 'Tin'],
    'the same text again is no change',
  );
  const other = await publish(ada, communityId);
  await hears(unwilling, 'post:created', other.id);
  assert.deepEqual([unwilling.all('post:updated'), unwilling.all('post:deleted')], [[], []]);
  for (const one of [listener, unwilling]) one.close();
});

test('a post that is removed by a moderator, also because of a report, leaves open screens', async () => {
  const author = await platform.newMember();
  const communityId = await communityWith(author);
  const [reported, deleted] = [await publish(author, communityId), await publish(author, communityId)];
  const listener = await listen(reader);
  await reader.client.call(report, { body: { kind: 'post', subjectId: reported.id, reason: 'Spam' } });
  const [open] = (await admin.call(listReports, { query: { kind: 'post', status: 'open' } })).data;
  const params = { reportId: open?.id ?? '' };
  await admin.call(resolveReport, { params, body: { outcome: 'removed' } });
  await admin.call(deletePost, { params: { postId: deleted.id } });
  for (const { id } of [reported, deleted])
    assert.deepEqual((await hears(listener, 'post:deleted', id)).data, { postId: id, communityId });
  listener.close();
});

test('changes beyond the hourly limit of new posts are made, and nobody is told', async () => {
  const author = await platform.newMember();
  const communityId = await communityWith(author);
  const listener = await listen(reader);
  const post = await publish(author, communityId);
  const limit = ANNOUNCED_PER_HOUR.member;
  for (let place = 0; place < limit + 2; place++) {
    const body = { content: `Text ${place}` };
    const answer = await author.client.call(updatePost, { params: { postId: post.id }, body });
    assert.equal(/nobody was notified/.test(answer.body.message), place >= limit, `change ${place}`);
  }
  for (let place = 0; place < limit + 2; place++) {
    const { id } = await publish(author, communityId);
    await author.client.call(deletePost, { params: { postId: id } });
  }
  await admin.call(deletePost, { params: { postId: post.id } });
  await hears(listener, 'post:deleted', post.id);
  assert.equal(listener.all('post:updated').length, limit);
  assert.equal(listener.all('post:deleted').length, limit + 1);
  listener.close();
});

test('a deleted community is one message, however many posts it has', async () => {
  const communityId = await communityWith();
  const posts = [await publish(ada, communityId), await publish(ada, communityId)];
  const listener = await listen(reader);
  await ada.client.call(deleteCommunity, { params: { communityId } });
  const { data } = await listener.next(({ type }) => type === 'community:deleted');
  assert.deepEqual(data, { communityId });
  const left = async () =>
    (await database.all('select id from community.post where community_id = $1', [communityId])).length;
  await until(async () => (await left()) === 0, `the end of ${posts.length} posts`);
  await settled(database);
  const next = await publish(ada, await communityWith());
  await hears(listener, 'post:created', next.id);
  assert.deepEqual(listener.all('post:deleted'), []);
  listener.close();
});
