import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { notEducator } from '../identity/contract.ts';
import { tradeClosed } from '../trades/trades.ts';
import { communityNotFound, notInCommunity } from './community.ts';
import { postNotFound } from './posts.ts';

const platform = await startPlatform();
const { admin, url } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
await admin.post(`/v1/user/${ada.id}/permissions/assign`, { permissions: ['educator'] });
const newCommunity = async (): Promise<string> =>
  (await ada.client.post('/v1/communities', { name: 'Metals' })).data.id;

test('a community: made by an educator, joined and left once', async () => {
  assertRefused(await ben.client.post('/v1/communities', { name: 'Mine' }), notEducator);
  const { status, data } = await ada.client.post('/v1/communities', { name: ' Metals ', description: 'Au' });
  assert.deepEqual([status, data.name, data.memberCount, data.postCount], [201, 'Metals', 1, 0]);
  const path = `/v1/communities/${data.id}`;
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/join`)).data.memberCount, 2);
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/leave`)).data.memberCount, 1);
  assert.ok((await ben.client.get('/v1/communities')).data.some(({ id }: Loose) => id === data.id));
  assertRefused(await ben.client.post(`/v1/communities/${'f'.repeat(24)}/join`), communityNotFound);
});

test('posts: by members, told to everybody, commented, reacted to, deleted', async () => {
  const community = await newCommunity();
  const posts = `/v1/communities/${community}/posts`;
  assertRefused(await ben.client.post(posts, { content: 'hi' }), notInCommunity);
  await ben.client.post(`/v1/communities/${community}/join`);
  const listener = await LiveClient.open(url, eve.accessToken);
  const { status, data: post } = await ben.client.post(posts, { content: 'Gold breaks out!' });
  assert.equal(status, 201);
  assert.deepEqual(await listener.next(({ type }) => type === 'post:created'), {
    type: 'post:created',
    data: { postId: post.id, userId: ben.id, communityId: community, content: 'Gold breaks out!' },
  });
  listener.close();
  assert.deepEqual((await eve.client.get(posts)).data, [post]);
  assert.equal((await eve.client.get(posts)).body.pagination.total, 1);

  const comments = `/v1/posts/${post.id}/comments`;
  assertRefused(await eve.client.post(comments, { content: 'no' }), notInCommunity);
  const { data: comment } = await ada.client.post(comments, { content: 'At last.' });
  const told = async () => (await ben.client.get('/v1/notifications?type=comment_reply')).data;
  await until(async () => (await told()).length === 1, 'the notification');
  assert.equal((await told())[0].message, 'At last.');
  await ben.client.post(comments, { content: 'Yes.' });
  assert.equal((await told()).length, 1, 'not of his own');
  assert.deepEqual(
    (await eve.client.get(comments)).data.map(({ content }: Loose) => content),
    ['Yes.', 'At last.'],
  );
  const path = `/v1/posts/${post.id}`;
  assertRefused(await ben.client.delete(`/v1/posts/comments/${comment.id}`), insufficientPermissions);
  assert.equal((await ada.client.delete(`/v1/posts/comments/${comment.id}`)).status, 200);
  assert.equal((await eve.client.get(path)).data.commentCount, 1);

  await Promise.all(['like', 'love', 'like'].map((type) => ada.client.put(`${path}/reaction`, { type })));
  await ben.client.put(`${path}/reaction`, { type: 'celebrate' });
  assert.equal((await eve.client.get(path)).data.reactionCount, 2);
  assert.equal((await ada.client.delete(`${path}/reaction`)).data.reactionCount, 1);
  assert.equal((await ada.client.delete(`${path}/reaction`)).data.reactionCount, 1);
  assertInvalid(await ada.client.put(`${path}/reaction`, { type: 'shrug' }));

  assertRefused(await eve.client.delete(path), insufficientPermissions);
  assert.equal((await admin.delete(path)).status, 200);
  assertRefused(await eve.client.get(path), postNotFound);
  assert.equal((await eve.client.get(`/v1/communities/${community}`)).data.postCount, 0);
});

test('trade ideas: announced, told to everybody, closed once', async () => {
  await eve.client.post('/push-notifications/subscribe', { topics: ['TRADE_IDEAS'] });
  const listener = await LiveClient.open(url, eve.accessToken);
  const idea = { symbol: 'eurusd', direction: 'short', entryPrice: 1.0842, stopLoss: 1.09 };
  const { status, data } = await ben.client.post('/v1/trades', idea);
  assert.deepEqual([status, data.symbol, data.status, data.takeProfit], [201, 'EURUSD', 'open', null]);
  assert.deepEqual(await listener.next(({ type }) => type === 'trade:created'), {
    type: 'trade:created',
    data: { tradeId: data.id, symbol: 'EURUSD', direction: 'short', entryPrice: 1.0842 },
  });
  listener.close();
  const told = async () => (await eve.client.get('/v1/notifications?type=trade_update')).data;
  await until(async () => (await told()).length === 1, 'the notification');
  const close = (client: typeof ben.client, exitPrice: number) =>
    client.post(`/v1/trades/${data.id}/close`, { exitPrice });
  assertRefused(await close(eve.client, 1), insufficientPermissions);
  const closed = await close(ben.client, 1.08);
  assert.deepEqual([closed.data.status, closed.data.exitPrice], ['won', 1.08]);
  assertRefused(await close(ben.client, 2), tradeClosed);
  const won = (await eve.client.get('/v1/trades?symbol=EURUSD&status=won')).data;
  assert.deepEqual(
    won.map(({ id }: Loose) => id),
    [data.id],
  );
  for (const bad of [
    { ...idea, entryPrice: 0 },
    { ...idea, direction: 'up' },
    { ...idea, symbol: 'a b' },
  ])
    assertInvalid(await ben.client.post('/v1/trades', bad));
});
