import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  closeTrade,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  deleteComment,
  deletePost,
  deleteUser,
  getCommunity,
  getMember,
  getPost,
  getTrade,
  joinCommunity,
  leaveCommunity,
  listComments,
  listCommunities,
  listCommunityMembers,
  listNotifications,
  listPosts,
  listTrades,
  reactToPost,
  subscribeToTopics,
  type TypesOf,
  takeBackReaction,
  updateCommunity,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notEducator } from '../identity/contract.ts';
import { tradeIsClosed } from '../trades/trades.ts';
import { communityNotFound, notInCommunity } from './failures.ts';
import { postNotFound } from './posts.ts';

const platform = await startPlatform();
const { admin, url } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['educator'] } });
const newCommunity = async (): Promise<string> =>
  (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data.id;

test('an educator creates a community, which members join and leave once', async () => {
  assertRefused(await ben.client.attempt(createCommunity, { body: { name: 'Mine' } }), notEducator);
  const { status, data } = await ada.client.call(createCommunity, {
    body: { name: ' Metals ', description: 'Au' },
  });
  assert.deepEqual([status, data.name, data.memberCount, data.postCount], [201, 'Metals', 1, 0]);
  assert.equal(data.joined, true);
  const params = { communityId: data.id };
  const listed = async () => (await ben.client.call(listCommunities)).data.find(({ id }) => id === data.id);
  assert.equal((await listed())?.joined, false);
  for (let time = 0; time < 2; time++) {
    const { memberCount, joined } = (await ben.client.call(joinCommunity, { params })).data;
    assert.deepEqual([memberCount, joined], [2, true]);
  }
  assert.equal((await listed())?.joined, true);
  assert.equal((await ben.client.call(getCommunity, { params })).data.joined, true);
  for (let time = 0; time < 2; time++) {
    const { memberCount, joined } = (await ben.client.call(leaveCommunity, { params })).data;
    assert.deepEqual([memberCount, joined], [1, false]);
  }
  const changed = await admin.call(updateCommunity, { params, body: { description: 'Ag' } });
  assert.deepEqual([changed.data.description, changed.data.joined], ['Ag', false]);
  assertRefused(
    await ben.client.attempt(joinCommunity, { params: { communityId: 'f'.repeat(24) } }),
    communityNotFound,
  );
});

test('a community names its creator, and members list those that they have joined or have not', async () => {
  const [cat, dan] = [await platform.newMember(), await newEducator(platform)];
  const { data: first } = await dan.client.call(createCommunity, { body: { name: 'Tin' } });
  const [second, third] = [await newCommunity(), await newCommunity()];
  const { data: creator } = await cat.client.call(getMember, { params: { id: dan.id } });
  const params = { communityId: first.id };
  const { data: joinedFirst } = await cat.client.call(joinCommunity, { params });
  for (const one of [first, joinedFirst, (await cat.client.call(getCommunity, { params })).data])
    assert.deepEqual(one.creator, creator);
  await cat.client.call(joinCommunity, { params: { communityId: third } });
  const list = async (query: TypesOf<typeof listCommunities>['query']) =>
    (await cat.client.call(listCommunities, { query })).body;
  const { data, pagination } = await list({ joined: true });
  assert.deepEqual([data.map(({ id }) => id), pagination.total], [[third, first.id], 2]);
  assert.deepEqual(data[1]?.creator, creator);
  await cat.client.call(leaveCommunity, { params: { communityId: third } });
  const after = (await list({ joined: true, before: third })).data;
  assert.deepEqual(after, (await list({ joined: true })).data);
  const others = (await list({ joined: false, limit: 100 })).data.map(({ id }) => id);
  assert.deepEqual(
    [first.id, second, third].map((id) => others.includes(id)),
    [false, true, true],
  );
  await admin.call(deleteUser, { params: { userId: dan.id } });
  const { data: kept } = await cat.client.call(getCommunity, { params });
  assert.deepEqual([kept.createdBy, kept.creator.id, kept.creator.name], [dan.id, dan.id, '']);
});

test('the members of a community are listed with their names', async () => {
  const params = { communityId: await newCommunity() };
  await ben.client.call(joinCommunity, { params });
  const { data, body } = await eve.client.call(listCommunityMembers, { params, query: { limit: 1 } });
  const more = await eve.client.call(listCommunityMembers, { params, query: { limit: 1, page: 2 } });
  assert.deepEqual([data.length, body.pagination.total, body.pagination.pages], [1, 2, 2]);
  const both = [...data, ...more.data];
  assert.deepEqual(both.map(({ userId }) => userId).sort(), [ada.id, ben.id].sort());
  for (const { userId, user } of both) assert.deepEqual([user.id, user.username !== ''], [userId, true]);
  assertRefused(
    await eve.client.attempt(listCommunityMembers, { params: { communityId: 'f'.repeat(24) } }),
    communityNotFound,
  );
});

/** A community of Ada's with Ben in it, and a post of his. */
async function postOfBen() {
  const params = { communityId: await newCommunity() };
  await ben.client.call(joinCommunity, { params });
  const { data: post } = await ben.client.call(createPost, { params, body: { content: 'Gold breaks out!' } });
  return { params, post, ofPost: { params: { postId: post.id } } };
}

test('a post is announced live to everybody, and listed', async () => {
  const listener = await LiveClient.open(url, eve.accessToken);
  const { params, post } = await postOfBen();
  assert.deepEqual(await listener.next(({ type }) => type === 'post:created'), {
    type: 'post:created',
    data: {
      postId: post.id,
      userId: ben.id,
      user: post.user,
      communityId: params.communityId,
      content: 'Gold breaks out!',
    },
  });
  listener.close();
  const { data, body } = await eve.client.call(listPosts, { params });
  assert.deepEqual([data, body.pagination.total], [[post], 1]);
});

test('only members of a community post and comment in it', async () => {
  const { params, ofPost } = await postOfBen();
  const body = { content: 'hi' };
  assertRefused(await eve.client.attempt(createPost, { params, body }), notInCommunity);
  assertRefused(await eve.client.attempt(createComment, { ...ofPost, body }), notInCommunity);
});

test('the author of a post is notified of comments by others', async () => {
  const { ofPost } = await postOfBen();
  await ben.client.call(createComment, { ...ofPost, body: { content: 'Yes.' } });
  await ada.client.call(createComment, { ...ofPost, body: { content: 'At last.' } });
  const heard = async () =>
    (await ben.client.call(listNotifications, { query: { type: 'comment_reply' } })).data;
  await until(async () => (await heard()).length > 0, 'the notification');
  assert.deepEqual(
    (await heard()).map(({ message }) => message),
    ['At last.'],
  );
});

test('comments are listed newest first, and deleted by their author', async () => {
  const { ofPost } = await postOfBen();
  const { data: comment } = await ada.client.call(createComment, {
    ...ofPost,
    body: { content: 'At last.' },
  });
  await ben.client.call(createComment, { ...ofPost, body: { content: 'Yes.' } });
  const { data: listed } = await eve.client.call(listComments, ofPost);
  assert.deepEqual(
    listed.map(({ content }) => content),
    ['Yes.', 'At last.'],
  );
  const ofComment = { params: { commentId: comment.id } };
  assertRefused(await ben.client.attempt(deleteComment, ofComment), insufficientPermissions);
  assert.equal((await ada.client.call(deleteComment, ofComment)).status, 200);
  assert.equal((await eve.client.call(getPost, ofPost)).data.commentCount, 1);
});

test('each member has one reaction to a post, and takes it back once', async () => {
  const { post, ofPost } = await postOfBen();
  await Promise.all(
    (['like', 'love', 'like'] as const).map((type) =>
      ada.client.call(reactToPost, { ...ofPost, body: { type } }),
    ),
  );
  const reacted = await ben.client.call(reactToPost, { ...ofPost, body: { type: 'celebrate' } });
  assert.equal(reacted.data.ownReaction, 'celebrate');
  const { data: seen } = await eve.client.call(getPost, ofPost);
  assert.deepEqual([seen.reactionCount, seen.ownReaction], [2, null]);
  const params = { communityId: post.communityId };
  assert.deepEqual(
    (await ben.client.call(listPosts, { params })).data.map(({ ownReaction }) => ownReaction),
    ['celebrate'],
  );
  for (let time = 0; time < 2; time++) {
    const { reactionCount, ownReaction } = (await ada.client.call(takeBackReaction, ofPost)).data;
    assert.deepEqual([reactionCount, ownReaction], [1, null]);
  }
  assertInvalid(await ada.client.raw('PUT', `/v1/posts/${post.id}/reaction`, { type: 'shrug' }));
});

test('a post is deleted by its author or a moderator, and no longer counted', async () => {
  const { params, ofPost } = await postOfBen();
  assertRefused(await eve.client.attempt(deletePost, ofPost), insufficientPermissions);
  assert.equal((await admin.call(deletePost, ofPost)).status, 200);
  assertRefused(await eve.client.attempt(getPost, ofPost), postNotFound);
  assert.equal((await eve.client.call(getCommunity, { params })).data.postCount, 0);
});

test('a trade idea is announced to everybody and closed once', async () => {
  await eve.client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS'] } });
  const listener = await LiveClient.open(url, eve.accessToken);
  const idea = { symbol: 'eurusd', direction: 'short' as const, entryPrice: 1.0842, stopLoss: 1.09 };
  const { status, data } = await ben.client.call(createTrade, { body: idea });
  assert.deepEqual([status, data.symbol, data.status, data.takeProfit], [201, 'EURUSD', 'open', null]);
  assert.deepEqual(await listener.next(({ type }) => type === 'trade:created'), {
    type: 'trade:created',
    data: { tradeId: data.id, user: data.user, symbol: 'EURUSD', direction: 'short', entryPrice: 1.0842 },
  });
  listener.close();
  const told = async () =>
    (await eve.client.call(listNotifications, { query: { type: 'trade_update' } })).data;
  await until(async () => (await told()).length === 1, 'the notification');
  const close = (client: typeof ben.client, exitPrice: number) =>
    client.attempt(closeTrade, { params: { tradeId: data.id }, body: { exitPrice } });
  assertRefused(await close(eve.client, 1), insufficientPermissions);
  const closed = await close(ben.client, 1.08);
  assert.deepEqual([closed.data?.status, closed.data?.exitPrice], ['won', 1.08]);
  assertRefused(await close(ben.client, 2), tradeIsClosed);
  const won = (await eve.client.call(listTrades, { query: { symbol: 'EURUSD', status: 'won' } })).data;
  assert.deepEqual(
    won.map(({ id }) => id),
    [data.id],
  );
  for (const bad of [
    { ...idea, entryPrice: 0 },
    { ...idea, direction: 'up' },
    { ...idea, symbol: 'a b' },
  ])
    assertInvalid(await ben.client.raw('POST', '/v1/trades', bad));
});

test('posts, comments and trade ideas name their authors, in lists, alone and in answers to writes', async () => {
  const author = await platform.newMember();
  const { client } = author;
  const { data: user } = await client.call(getMember, { params: { id: author.id } });
  const founder = await newEducator(platform);
  const made = (await founder.client.call(createCommunity, { body: { name: 'Named' } })).data;
  const params = { communityId: made.id };
  await client.call(joinCommunity, { params });
  const post = (await client.call(createPost, { params, body: { content: 'Who?' } })).data;
  const ofPost = { params: { postId: post.id } };
  const comment = (await client.call(createComment, { ...ofPost, body: { content: 'I' } })).data;
  const body = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } as const;
  const trade = (await client.call(createTrade, { body })).data;
  const shown = async () => [
    (await founder.client.call(getPost, ofPost)).data,
    (await founder.client.call(listPosts, { params })).data[0],
    (await founder.client.call(listComments, ofPost)).data[0],
    (await founder.client.call(getTrade, { params: { tradeId: trade.id } })).data,
    (await founder.client.call(listTrades, { query: { userId: author.id } })).data[0],
  ];
  for (const one of [post, comment, trade, ...(await shown())]) assert.deepEqual(one?.user, user);
  await platform.admin.call(deleteUser, { params: { userId: author.id } });
  const gone = { id: author.id, name: '', username: '', avatar: null, isEducator: false };
  for (const one of await shown()) assert.deepEqual(one?.user, gone);
});
