import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  blockMember,
  createComment,
  createCommunity,
  createPost,
  deleteComment,
  deletePost,
  getPost,
  joinCommunity,
  leaveCommunity,
  listComments,
  unblockMember,
  updateComment,
  updatePost,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { blocked } from '../moderation/contract.ts';
import { notInCommunity } from './failures.ts';

// What members still change of what they wrote before somebody blocked them.

const platform = await startPlatform();
const { admin } = platform;

/** A community of an educator's in which two members are, with a post of the one and a comment of the other on it. */
async function conversation() {
  const [ada, ben, eve] = [
    await newEducator(platform),
    await platform.newMember(),
    await platform.newMember(),
  ];
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  const params = { communityId };
  for (const { client } of [ben, eve]) await client.call(joinCommunity, { params });
  const { data: post } = await ben.client.call(createPost, { params, body: { content: 'Gold' } });
  const ofPost = { params: { postId: post.id } };
  const { data: comment } = await eve.client.call(createComment, { ...ofPost, body: { content: 'Why?' } });
  const ofComment = { params: { commentId: comment.id } };
  const changePost = ({ client }: Pick<Member, 'client'>) =>
    client.attempt(updatePost, { ...ofPost, body: { content: 'You liar' } });
  const changeComment = ({ client }: Pick<Member, 'client'>) =>
    client.attempt(updateComment, { ...ofComment, body: { content: 'You liar' } });
  const texts = async () => [
    (await ada.client.call(getPost, ofPost)).data.content,
    (await ada.client.call(listComments, ofPost)).data[0]?.content,
  ];
  const block = (by: Member, whom: Member) => by.client.call(blockMember, { params: { userId: whom.id } });
  return { ada, ben, eve, params, ofPost, ofComment, changePost, changeComment, texts, block };
}

test('whom the creator of a community has blocked changes neither posts nor comments there', async () => {
  const { ada, ben, eve, params, ofPost, ofComment, ...rest } = await conversation();
  const { changePost, changeComment, texts, block } = rest;
  for (const member of [ben, eve]) await block(ada, member);
  assertRefused(await changePost(ben), blocked);
  assertRefused(await changeComment(eve), blocked);
  await ben.client.call(leaveCommunity, { params });
  assertRefused(await changePost(ben), notInCommunity, 'nor after leaving');
  assert.deepEqual(await texts(), ['Gold', 'Why?']);
  assert.equal((await eve.client.attempt(deleteComment, ofComment)).status, 200, 'deleting stays allowed');
  assert.equal((await ben.client.attempt(deletePost, ofPost)).status, 200);
});

test('whom the author of a post has blocked does not change comments on it until the block ends', async () => {
  const { ben, eve, changePost, changeComment, texts, block } = await conversation();
  await block(ben, eve);
  assertRefused(await changeComment(eve), blocked);
  assert.equal((await changePost(ben)).status, 200, 'a block is one-sided');
  assert.deepEqual(await texts(), ['You liar', 'Why?']);
  await ben.client.call(unblockMember, { params: { userId: eve.id } });
  assert.equal((await changeComment(eve)).status, 200);
});

test('moderators can change texts of members whom others have blocked', async () => {
  const { ada, ben, eve, changePost, changeComment, texts, block } = await conversation();
  for (const member of [ben, eve]) await block(ada, member);
  const moderator = { client: admin };
  assert.deepEqual(
    [(await changePost(moderator)).status, (await changeComment(moderator)).status],
    [200, 200],
  );
  assert.deepEqual(await texts(), ['You liar', 'You liar']);
});
