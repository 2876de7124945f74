import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Counted, FoundDocument } from './matches.store.ts';
import { MAX_FOUND, type Question } from './search.model.ts';
import { countedPages } from './totals.ts';

const REACHED: Counted = { matches: MAX_FOUND, forAll: MAX_FOUND };
const question = (word = 'gold', rights: Partial<Question['rights']> = {}): Question => ({
  query: { first: '', last: word, prefix: `${word}:*` },
  key: word,
  rights: { audiences: ['all'], excluded: [], ...rights },
  type: undefined,
});
const FIRST_PAGE = { page: 1, limit: 20 };

function counting() {
  const scene = { counted: REACHED, shown: 20, counts: 0, nowMs: 0 };
  const find = countedPages(
    {
      count: async () => {
        scene.counts++;
        return scene.counted;
      },
      page: async () => Array.from({ length: scene.shown }, () => ({}) as FoundDocument),
    },
    { believedMs: 10, nowMs: () => scene.nowMs },
  );
  return { scene, find };
}

test('a total at its maximum is believed for a while, for everybody from whom nothing is kept', async () => {
  const { scene, find } = counting();
  assert.equal((await find(question(), FIRST_PAGE)).total, MAX_FOUND);
  scene.nowMs = 9;
  assert.equal((await find(question('gold', { audiences: ['all', 'room'] }), FIRST_PAGE)).total, MAX_FOUND);
  assert.equal(scene.counts, 1);
  await find(question('silver'), FIRST_PAGE);
  await find({ ...question(), type: 'post' }, FIRST_PAGE);
  assert.equal(scene.counts, 3);
  scene.counted = { matches: MAX_FOUND - 1, forAll: MAX_FOUND - 1 };
  assert.equal((await find(question('gold', { excluded: ['post/1'] }), FIRST_PAGE)).total, MAX_FOUND - 1);
  scene.counted = REACHED;
  await find(question(), FIRST_PAGE);
  scene.nowMs = 25;
  await find(question(), FIRST_PAGE);
  assert.equal(scene.counts, 5);
});

test('a total with documents that only some may find is counted at each search', async () => {
  const { scene, find } = counting();
  scene.counted = { matches: MAX_FOUND, forAll: MAX_FOUND - 1 };
  await find(question(), FIRST_PAGE);
  await find(question(), FIRST_PAGE);
  assert.equal(scene.counts, 2);
});

test('a page that is not full is counted', async () => {
  const { scene, find } = counting();
  await find(question(), FIRST_PAGE);
  scene.counted = { matches: 19, forAll: 19 };
  scene.shown = 19;
  assert.equal((await find(question(), FIRST_PAGE)).total, 19);
  scene.shown = 20;
  await find(question(), FIRST_PAGE);
  assert.equal(scene.counts, 3);
});

test('the last page and those beyond have no room for more', async () => {
  const { scene, find } = counting();
  await find(question(), FIRST_PAGE);
  scene.shown = 10;
  await find(question(), { page: 34, limit: 30 });
  scene.shown = 0;
  assert.equal((await find(question(), { page: 99, limit: 20 })).total, MAX_FOUND);
  assert.equal(scene.counts, 1);
});
