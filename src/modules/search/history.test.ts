import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearSearchHistory, deleteUser, listSearchHistory, updateProfile } from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { communityOfTwo, search, suggest } from '../../../test/support/search.ts';

const platform = await startPlatform();
const { admin, database, newMember } = platform;
const { ben, post } = await communityOfTwo(platform);

test('the search history keeps the newest hundred queries, each once, and can be deleted', async () => {
  const { client } = await newMember();
  await search(ben.client, 'of another member');
  await post('history of platypus');
  await search(client, 'Platypus');
  await search(client, 'nothing at all');
  await search(client, 'plátypus ');
  const { data } = await client.call(listSearchHistory);
  assert.deepEqual(
    data.map(({ query, resultCount }) => [query, resultCount]),
    [
      ['plátypus', 1],
      ['nothing at all', 0],
    ],
  );
  for (let number = 0; number < 102; number++) await search(client, `query number ${number}`);
  const long = (await client.call(listSearchHistory)).data;
  assert.equal(long.length, 100);
  assert.equal(long[0]?.query, 'query number 101');
  assert.equal((await client.call(clearSearchHistory)).status, 200);
  assert.deepEqual((await client.call(listSearchHistory)).data, []);
  assert.equal((await ben.client.call(listSearchHistory)).data.length, 1);
});

test('a query is suggested while at least five members have it in their history', async () => {
  const five = await Promise.all(Array.from({ length: 5 }, () => newMember()));
  await post('axolotl trading');
  for (const [place, { client }] of five.entries()) {
    assert.deepEqual(await suggest(ben.client, 'axolo'), [], `after ${place}`);
    await search(client, 'axolotl trading');
    await search(client, 'axolotl trading');
  }
  assert.deepEqual(await suggest(ben.client, 'axolo'), ['axolotl trading']);
  await five[0]?.client.call(clearSearchHistory);
  assert.deepEqual(await suggest(ben.client, 'axolo'), []);
});

test('a query that finds nothing is not suggested, however many members send it', async () => {
  for (let count = 0; count < 5; count++)
    await search((await newMember()).client, 'visit winnings at evil example');
  assert.deepEqual(await suggest(ben.client, 'visit'), []);
});

test('the names of a deleted member are no longer suggested as queries', async () => {
  const gone = await newMember();
  await gone.client.call(updateProfile, { body: { firstName: 'Quorblin', lastName: 'Tazzwick' } });
  const finds = async (q: string) => (await search(ben.client, q)).results.length > 0;
  await until(() => finds('quorblin tazzwick'), 'the document');
  for (let count = 0; count < 5; count++) await search((await newMember()).client, 'quorblin tazzwick');
  assert.ok((await suggest(ben.client, 'quorb')).length > 0);
  // What everybody finds something else by stays.
  await post('quorblin quorblin');
  for (let count = 0; count < 5; count++) await search((await newMember()).client, 'quorblin');
  await admin.call(deleteUser, { params: { userId: gone.id } });
  await until(async () => !(await finds('quorblin tazzwick')), 'the removal of the document');
  // The second round of the erasure follows after a minute.
  await fetch(`${platform.sandboxUrl}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: '2 minutes' }),
  });
  await until(async () => !(await suggest(ben.client, 'quorb')).includes('quorblin tazzwick'), 'the erasure');
  assert.deepEqual(await suggest(ben.client, 'quorb'), ['quorblin']);
});

test('deleting a member removes their search history', async () => {
  const { client, id } = await newMember();
  await search(client, 'my private matter');
  await admin.call(deleteUser, { params: { userId: id } });
  await until(
    async () => (await database.count('select count(*) from search.history where user_id = $1', [id])) === 0,
    'the erasure',
  );
});
