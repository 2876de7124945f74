// Chatrooms are found by a part of their name, in whichever list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createChatroom,
  deleteChatroom,
  listChatrooms,
  type TypesOf,
  type wire,
} from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const newRoom = async (name: string, type: wire.Chatroom['type']): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name, type } })).data.id;
type Query = TypesOf<typeof listChatrooms>['query'];
const find = async (client: typeof admin, query: Query) => {
  const { data, pagination } = (await client.call(listChatrooms, { query })).body;
  return [data.map(({ id }) => id), pagination?.total];
};

test('rooms are found by a part of their name: by members those they see, by moderators all', async () => {
  const [gold, silver] = [await newRoom('Gold 100% today', 'public'), await newRoom('Silver', 'public')];
  const secret = await newRoom('Marigolds', 'private');
  const gone = await newRoom('Old gold', 'public');
  await ada.client.call(deleteChatroom, { params: { chatroomId: gone } });

  assert.deepEqual(await find(admin, { search: 'GOLD' }), [[secret, gold], 2]);
  assert.deepEqual(await find(admin, { search: 'gold', type: 'private' }), [[secret], 1]);
  assert.deepEqual(await find(ben.client, { search: 'gold' }), [[gold], 1]);
  assert.deepEqual(await find(ada.client, { search: 'gold' }), [[secret, gold], 2]);
  for (const sort of ['newest', 'active'] as const) {
    assert.deepEqual(await find(ada.client, { search: 'gold', joined: true, sort }), [[secret, gold], 2]);
    assert.deepEqual(await find(ben.client, { search: 'gold', joined: true, sort }), [[], 0]);
  }
  assert.deepEqual(await find(ben.client, { search: '100% t' }), [[gold], 1]);
  assert.deepEqual(await find(ben.client, { search: 'ol_' }), [[], 0], 'it is no pattern');
  assert.deepEqual(await find(ben.client, { search: 'si' }), [[silver], 1], 'the beginning of a word');
  assert.deepEqual(await find(ben.client, { search: 'gold', before: gold }), [[], 1]);
});
