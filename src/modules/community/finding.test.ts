// Communities are found by their names, and posts of all communities by moderators.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCommunity,
  createPost,
  joinCommunity,
  listAllPosts,
  listCommunities,
  type TypesOf,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await newEducator(platform), await platform.newMember()];
const newCommunity = async (name: string): Promise<string> =>
  (await ada.client.call(createCommunity, { body: { name } })).data.id;

test('communities are found by a part of their name, joined or not', async () => {
  const [metals, base] = [await newCommunity('Precious metals'), await newCommunity('Base Metals')];
  await newCommunity('Crypto');
  await ben.client.call(joinCommunity, { params: { communityId: base } });
  const find = async (query: TypesOf<typeof listCommunities>['query']) => {
    const { data, pagination } = (await ben.client.call(listCommunities, { query })).body;
    return [data.map(({ id }) => id), pagination?.total];
  };
  assert.deepEqual(await find({ search: 'metals' }), [[base, metals], 2]);
  assert.deepEqual(await find({ search: 'metals', joined: true }), [[base], 1]);
  assert.deepEqual(await find({ search: 'metals', joined: false }), [[metals], 1]);
  assert.deepEqual(await find({ search: 'nothing' }), [[], 0]);
});

test('moderators list the posts of all communities, or those of one member, and nobody else does', async () => {
  const [first, second] = [await newCommunity('One'), await newCommunity('Two')];
  const post = async (by: typeof ben, communityId: string) =>
    (await by.client.call(createPost, { params: { communityId }, body: { content: 'Gold' } })).data.id;
  await ben.client.call(joinCommunity, { params: { communityId: second } });
  const posts = [await post(ada, first), await post(ada, second), await post(ben, second)];
  const list = async (query: TypesOf<typeof listAllPosts>['query']) =>
    (await admin.call(listAllPosts, { query })).data.map(({ id, user, communityName }) => [
      id,
      user.id,
      communityName,
    ]);
  assert.deepEqual(await list({}), [
    [posts[2], ben.id, 'Two'],
    [posts[1], ada.id, 'Two'],
    [posts[0], ada.id, 'One'],
  ]);
  assert.deepEqual(await list({ userId: ben.id }), [[posts[2], ben.id, 'Two']]);
  assert.deepEqual(await list({ before: posts[1] ?? '' }), [[posts[0], ada.id, 'One']]);
  assertRefused(await ben.client.attempt(listAllPosts), insufficientPermissions);
});
