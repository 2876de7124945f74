import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  banCommunityMember,
  createComment,
  createCommunity,
  createPost,
  deleteComment,
  deletePost,
  deleteUser,
  getPost,
  joinCommunity,
  leaveCommunity,
  listComments,
  listPosts,
  reactToPost,
  takeBackReaction,
  unbanCommunityMember,
  updateComment,
  updatePost,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { bannedFromCommunity, notInCommunity } from './failures.ts';

const platform = await startPlatform();
const [ada, ben, cat] = [await newEducator(platform), await platform.newMember(), await platform.newMember()];

/** A community of Ada's in which all are, with a post of hers. */
async function postOfAda() {
  const params = {
    communityId: (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data.id,
  };
  for (const { client } of [ben, cat]) await client.call(joinCommunity, { params });
  const { data: post } = await ada.client.call(createPost, { params, body: { content: 'Gold' } });
  return { params, post, ofPost: { params: { postId: post.id } } };
}

test('a post says how many members gave each reaction', async () => {
  const { params, post, ofPost } = await postOfAda();
  const none = { like: 0, love: 0, celebrate: 0, insightful: 0 };
  assert.deepEqual(post.reactions, none);
  const react = async (by: typeof ben, type: 'like' | 'love') =>
    (await by.client.call(reactToPost, { ...ofPost, body: { type } })).data.reactions;
  await react(ada, 'like');
  await react(ben, 'like');
  assert.deepEqual(await react(cat, 'love'), { ...none, like: 2, love: 1 });
  const { data: other } = await ben.client.call(createPost, { params, body: { content: 'Tin' } });
  const listed = (await cat.client.call(listPosts, { params })).data;
  assert.deepEqual(
    listed.map(({ id, reactions }) => [id, reactions]),
    [
      [other.id, none],
      [post.id, { ...none, like: 2, love: 1 }],
    ],
  );
  assert.deepEqual(await react(ben, 'love'), { ...none, like: 1, love: 2 }, 'a new one replaces it');
  const { data: left } = await cat.client.call(takeBackReaction, ofPost);
  assert.deepEqual(left.reactions, { ...none, like: 1, love: 1 });
});

const TYPES = ['like', 'love', 'celebrate', 'insightful'] as const;

test('reactions that members change at the same time are all counted', async () => {
  const { post, ofPost } = await postOfAda();
  const change = ({ client }: typeof ben, turn: number) => {
    const type = TYPES[turn % 5];
    return type
      ? client.call(reactToPost, { ...ofPost, body: { type } })
      : client.call(takeBackReaction, ofPost);
  };
  const turns = Array.from({ length: 12 }, (_, place) => place);
  await Promise.all([ada, ben, cat].flatMap((by, shift) => turns.map((turn) => change(by, turn + shift))));
  const { reactions, reactionCount } = (await ben.client.call(getPost, ofPost)).data;
  const stored = await platform.database.all<{ type: (typeof TYPES)[number]; count: number }>(
    'select type, count(*) as count from community.reaction where post_id = $1 group by type',
    [post.id],
  );
  const counted = Object.fromEntries(stored.map(({ type, count }) => [type, count]));
  assert.deepEqual(reactions, { like: 0, love: 0, celebrate: 0, insightful: 0, ...counted });
  assert.equal(
    reactionCount,
    Object.values(reactions).reduce((sum, count) => sum + count),
  );
});

test('reactions of a former version are counted by the migration, also those that change meanwhile', async () => {
  const { post, ofPost } = await postOfAda();
  for (const { client } of [ada, ben]) await client.call(reactToPost, { ...ofPost, body: { type: 'like' } });
  await platform.database.execute('delete from community.reaction_tally where post_id = $1', [post.id]);
  await ada.client.call(takeBackReaction, ofPost);
  await cat.client.call(reactToPost, { ...ofPost, body: { type: 'like' } });
  const fill = new URL('./migrations/0008-fill-tally-of-reactions.sql', import.meta.url);
  await platform.database.all(readFileSync(fill, 'utf8'));
  const { reactions } = (await ben.client.call(getPost, ofPost)).data;
  assert.deepEqual(reactions, { like: 2, love: 0, celebrate: 0, insightful: 0 });
});

test('the reactions of a deleted member are no longer counted', async () => {
  const { params, ofPost } = await postOfAda();
  const gone = await platform.newMember();
  await gone.client.call(joinCommunity, { params });
  await gone.client.call(reactToPost, { ...ofPost, body: { type: 'insightful' } });
  await platform.admin.call(deleteUser, { params: { userId: gone.id } });
  const read = async () => (await ben.client.call(getPost, ofPost)).data;
  await until(async () => (await read()).reactionCount === 0, 'the end of the reaction');
  assert.equal((await read()).reactions.insightful, 0);
});

test('who has left a community changes nothing there any more, and still deletes what they wrote', async () => {
  const { params } = await postOfAda();
  const { data: post } = await ben.client.call(createPost, { params, body: { content: 'Tin' } });
  const ofPost = { params: { postId: post.id } };
  const { data: comment } = await ben.client.call(createComment, { ...ofPost, body: { content: 'Cheap' } });
  const ofComment = { params: { commentId: comment.id } };
  const change = async () => [
    await ben.client.attempt(updatePost, { ...ofPost, body: { content: 'Lead' } }),
    await ben.client.attempt(updateComment, { ...ofComment, body: { content: 'Dear' } }),
  ];
  await ben.client.call(leaveCommunity, { params });
  for (const answer of await change()) assertRefused(answer, notInCommunity);
  await ada.client.call(banCommunityMember, { params: { ...params, userId: ben.id } });
  for (const answer of await change()) assertRefused(answer, bannedFromCommunity);
  await ada.client.call(unbanCommunityMember, { params: { ...params, userId: ben.id } });
  await ben.client.call(joinCommunity, { params });
  for (const { status } of await change()) assert.equal(status, 200);
  await ben.client.call(leaveCommunity, { params });
  await platform.admin.call(updatePost, { ...ofPost, body: { content: 'Zinc' } });
  assert.equal((await ben.client.call(deleteComment, ofComment)).status, 200);
  assert.equal((await ben.client.call(deletePost, ofPost)).status, 200);
});

test('a post and a comment say when their text was last changed', async () => {
  const { params, post, ofPost } = await postOfAda();
  const { data: comment } = await ben.client.call(createComment, { ...ofPost, body: { content: 'Why?' } });
  assert.deepEqual([post.editedAt, comment.editedAt], [null, null]);
  assert.equal((await ben.client.call(getPost, ofPost)).data.editedAt, null);
  const { data: changed } = await ada.client.call(updatePost, { ...ofPost, body: { content: 'Silver' } });
  const ofComment = { params: { commentId: comment.id } };
  const { data: answered } = await platform.admin.call(updateComment, {
    ...ofComment,
    body: { content: 'How?' },
  });
  for (const { editedAt, createdAt } of [changed, answered]) assert.ok(editedAt && editedAt >= createdAt);
  // The same text again is no change.
  platform.clock.advance(1_000);
  await ada.client.call(updatePost, { ...ofPost, body: { content: 'Silver' } });
  assert.deepEqual((await cat.client.call(listPosts, { params })).data[0]?.editedAt, changed.editedAt);
  assert.deepEqual((await cat.client.call(listComments, ofPost)).data, [answered]);
});
