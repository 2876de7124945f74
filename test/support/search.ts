import assert from 'node:assert/strict';
import {
  createCommunity,
  createPost,
  joinCommunity,
  search as searchOperation,
  suggestSearches,
} from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import type { Client } from './client.ts';
import type { Member, TestPlatform } from './platform.ts';

type Query = TypesOf<typeof searchOperation>['query'];
type Found = TypesOf<typeof searchOperation>['data'];

export const idsOf = ({ results }: Pick<Found, 'results'>): string[] => results.map(({ id }) => id);

/** Searches, and checks that the pagination's total agrees with the response's. */
export async function search(client: Client, q: string, more: Partial<Query> = {}): Promise<Found> {
  const { data, body } = await client.call(searchOperation, { query: { ...more, q } });
  assert.equal(body.pagination.total, data.totalResults);
  return data;
}

export const suggest = async (client: Client, q: string): Promise<string[]> =>
  (await client.call(suggestSearches, { query: { q } })).data;

/** Creates a community with two members, `ada` and `ben`; `post` publishes in it, by default as Ada. */
export async function communityOfTwo({ admin, newMember }: TestPlatform) {
  const [ada, ben] = [await newMember(), await newMember()];
  const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
  const params = { communityId: community.id };
  for (const { client } of [ada, ben]) await client.call(joinCommunity, { params });
  return {
    ada,
    ben,
    post: async (content: string, by: Member = ada) =>
      (await by.client.call(createPost, { params, body: { content } })).data,
  };
}
