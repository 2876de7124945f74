import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCourse, deletePost, updateCourse } from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { communityOfTwo, search } from '../../../test/support/search.ts';
import { courseNotReady } from '../education/failures.ts';

const platform = await startPlatform();
const { database } = platform;
const { ada, ben, post } = await communityOfTwo(platform);

test('a change that was rolled back is not searchable', async () => {
  const owner = await newEducator(platform);
  const { data } = await owner.client.call(createCourse, {
    body: { title: 'Marsupial draft', description: 'x' },
  });
  const refused = await owner.client.attempt(updateCourse, {
    params: { courseId: data.id },
    body: {
      title: 'Kangaroo published',
      status: 'published',
    },
  });
  assertRefused(refused, courseNotReady);
  assert.equal((await search(owner.client, 'kangaroo')).totalResults, 0);
  assert.equal((await search(owner.client, 'marsupial')).totalResults, 1);
});

test('rebuilding the index repairs missing and stale documents and changes no others', async () => {
  const documents = () =>
    database.all<Record<string, unknown>>(
      `select type, id, title, body, audiences, has_name, title_words::text, words::text from search.document
       order by type, id`,
    );
  const one = await post('to be found again');
  const before = await documents();
  await database.execute('delete from search.document where id = $1', [one.id]);
  await database.execute(
    `insert into search.document select 'post', repeat('f', 24), title, body, title_key, audiences, has_name,
       prominence, created_at, title_words, words from search.document limit 1`,
  );
  await platform.platform.runJob('search.rebuild');
  assert.deepEqual(await documents(), before);
});

test('documents whose indexing an update changed are indexed again at the next start', async () => {
  await post('A post about zymurgistic matters');
  await database.execute('delete from search.deletion');
  await database.execute('delete from search.word');
  await database.execute(`insert into search.word (word) values ('zymurgistic')`);
  await platform.platform.runJob('search.catch-up');
  assert.equal((await search(ben.client, 'zymurgstic')).totalResults, 0);
  await database.execute('insert into search.outdated default values');
  await platform.platform.runJob('search.catch-up');
  const found = await search(ben.client, 'zymurgstic');
  assert.deepEqual([found.totalResults, found.corrected], [1, 'zymurgistic']);
  assert.equal(await database.count(`select count(*) from search.word where audience = ''`), 0);
  assert.equal(await database.count('select count(*) from search.outdated'), 0);
});

test('words that no document has any longer are deleted by the rebuild of the night', async () => {
  const { id } = await post('A post about xylographic matters');
  const words = (word: string) => database.count('select count(*) from search.word where word = $1', [word]);
  const forms = () => database.count(`select count(*) from search.deletion where word = 'xylographic'`);
  assert.equal(await words('xylographic'), 1);
  assert.equal((await ada.client.call(deletePost, { params: { postId: id } })).status, 200);
  await platform.platform.runJob('search.rebuild');
  assert.deepEqual([await words('xylographic'), await forms()], [0, 0]);
  assert.equal(await words('zymurgistic'), 1);
});
