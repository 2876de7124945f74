import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCourse, deletePost, search as searchOperation, updateCourse } from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { communityOfTwo, idsOf, search } from '../../../test/support/search.ts';

const platform = await startPlatform();
const { ada, ben, post } = await communityOfTwo(platform);

test('a new post is found by words, word forms and prefixes, ignoring accents and case', async () => {
  const one = await post('Przełęcz ŁÓDŹ: Fibonacci retracements on GOLD are <b>bold</b> & breakouts too.');
  for (const q of [
    'fibonacci',
    'FIBONACCI gold',
    'retracement',
    'retracem',
    'lodz',
    'Łódź',
    'przelecz fib',
    'breakout',
    'gold breakouts',
  ])
    assert.ok(idsOf(await search(ben.client, q)).includes(one.id), q);
  const { results } = await search(ben.client, 'gold');
  const found = results.find(({ id }) => id === one.id);
  assert.equal(found?.type, 'post');
  assert.equal(found?.url, `/posts/${one.id}`);
  assert.ok(found?.excerpt.includes('<mark>GOLD</mark>'), found?.excerpt);
  assert.ok(found?.excerpt.includes('&#60;b&#62;bold'), found?.excerpt);
  for (const q of ['gold silver', 'fibonacci & | !', "'); drop table", '((()))', '*', ':*', '\\', '%'])
    assert.equal((await ben.client.call(searchOperation, { query: { q } })).status, 200, q);
  await ada.client.call(deletePost, { params: { postId: one.id } });
  assert.equal((await search(ben.client, 'fibonacci')).totalResults, 0);
});

test('a limit above 100 is lowered to 100, and an invisible query is refused', async () => {
  for (let number = 0; number < 101; number++) await post(`Lowered ${number}`);
  const { body } = await ben.client.call(searchOperation, { query: { q: 'lowered', limit: 1000 } });
  assert.deepEqual([body.pagination.limit, body.data.results.length], [100, 100]);
  for (const q of [' ', '\u200b', '\u200b \u00ad', '\t\n']) {
    const { status, body } = await ben.client.attempt(searchOperation, { query: { q } });
    assert.deepEqual([status, body.errors?.[0]?.field], [422, 'q'], q);
  }
  assert.equal((await ben.client.call(searchOperation, { query: { q: '...' } })).status, 200);
});

/** Each with one mistake: a letter too few, too many, another, or two exchanged. */
const JUDGED: [string, string][] = [
  ['consolidation', 'consolidtion'],
  ['consolidation', 'consolidattion'],
  ['divergence', 'divergense'],
  ['divergence', 'divregence'],
  ['liquidity', 'liqudity'],
  ['liquidity', 'likuidity'],
  ['momentum', 'momemtum'],
  ['momentum', 'omentum'],
  ['resistance', 'resistence'],
  ['resistance', 'resitance'],
  ['candlestick', 'candelstick'],
  ['volatility', 'volatilty'],
  ['volatility', 'volatillity'],
  ['stochastic', 'stochasitc'],
  ['arbitrage', 'abritrage'],
  ['pivot', 'piovt'],
  ['short squeeze', 'short sqeeze'],
  ['head shoulders', 'haed shoulders'],
];

test('one typing mistake in each longer word is corrected and reported', async () => {
  const right = [...new Set(JUDGED.map(([title]) => title))];
  const posts = new Map<string, string>();
  for (const title of right) posts.set(title, (await post(`A word about ${title} in markets`)).id);
  const missed: string[] = [];
  for (const [title, mistaken] of JUDGED) {
    const found = await search(ben.client, mistaken);
    if (idsOf(found)[0] !== posts.get(title)) missed.push(mistaken);
    else assert.equal(found.corrected, title, mistaken);
  }
  assert.deepEqual(missed, []);
  assert.equal((await search(ben.client, 'pivot')).corrected, null);
  assert.equal((await search(ben.client, 'zzzzqqqq')).totalResults, 0);
});

test('results are ranked by exact title, title prefix, words in the title, and words anywhere', async () => {
  const owner = await newEducator(platform);
  const make = async (title: string, description: string) =>
    (await newCourse(platform, { owner, course: { title, description } })).course.id as string;
  const anywhere = await make('Another course', 'Teaches quantum scalping at length.');
  const inTitle = await make('Modern quantum and other scalping', 'Text.');
  const beginning = await make('Quantum scalping for experts', 'Text.');
  const exact = await make('Quantum Scalping', 'Text.');
  const { results } = await search(ben.client, 'quantum scalping', { type: 'course' });
  assert.deepEqual(
    results.map(({ id }) => id),
    [exact, beginning, inTitle, anywhere],
  );
  const scores = results.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a: number, b: number) => b - a),
  );
  const second = await search(ben.client, 'quantum scalping', { type: 'course', page: 2, limit: 3 });
  assert.deepEqual(idsOf(second), [anywhere]);
  assert.equal(second.totalResults, 4);
});

test('names that grow when normalized are stored and found', async () => {
  const owner = await newEducator(platform);
  // Each letter stands for a word of three to six letters of three bytes each.
  const letters = Array.from({ length: 200 }, () =>
    String.fromCodePoint(0x3300 + Math.floor(Math.random() * 0x58)),
  );
  const title = letters.join('');
  const { status, data } = await owner.client.call(createCourse, { body: { title, description: 'x' } });
  assert.equal(status, 201);
  assert.deepEqual(idsOf(await search(owner.client, letters.slice(0, 30).join(''))), [data.id]);
  assert.deepEqual(idsOf(await search(owner.client, title)), [data.id]);
  assert.equal(
    (
      await owner.client.call(updateCourse, {
        params: { courseId: data.id },
        body: { title: '\u{1F4B0}'.repeat(200) },
      })
    ).status,
    200,
  );
  const signs = (
    await owner.client.call(createCourse, {
      body: {
        title: '\u{20BB7}\u{20BB7} '.repeat(60).trim(),
        description: 'x',
      },
    })
  ).data;
  assert.ok(idsOf(await search(owner.client, '\u{20BB7}')).includes(signs.id));
});
