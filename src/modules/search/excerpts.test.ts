import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { excerpts } from './excerpts.ts';
import { normalized, queryWords } from './words.ts';

const WORDS = [
  'gold',
  'Golden',
  'BREAKOUTS',
  'breakout',
  'Łódź',
  'łodzi',
  'Straße',
  'STRASSE',
  'cafe\u0301',
  'Café',
  'x',
  '2nd',
  '日本',
  'golf',
];
const SEPARATORS = [' ', ', ', '\n', '-', '€', '<b>', '&', '…'];
const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SEPARATORS)), { maxLength: 60 })
  .map((parts) => parts.flat().join(''));
const query = fc.array(fc.constantFrom(...WORDS, 'gol', 'stra', 'lo'), { minLength: 1, maxLength: 3 });

const plainOf = (excerpt: string): string =>
  excerpt
    .replaceAll(/<\/?mark>/g, '')
    .replaceAll('&#60;', '<')
    .replaceAll('&#62;', '>')
    .replaceAll('&#38;', '&');
const wordsIn = (plain: string): string[] => plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

test('an excerpt shows the text around the first hit with whole words marked', () => {
  fc.assert(
    fc.property(text, query, (content, asked) => {
      const { words } = queryWords(asked.join(' '));
      const excerpt = excerpts(words)(content);
      const plain = plainOf(excerpt).replace(/^…/, '').replace(/…$/, '');
      assert.ok(content.includes(plain), excerpt);
      assert.equal(plain, plain.trim());
      const marked = [...excerpt.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word as string);
      const exactly = (word: string): boolean => words.includes(normalized(word));
      for (const word of marked) assert.ok(wordsIn(content).includes(word), word);
      // At least the words of the query as typed are marked, and the first of them is in the excerpt.
      const hits = wordsIn(plain).filter(exactly);
      assert.deepEqual(marked.filter(exactly), hits);
      assert.equal(marked.length > 0 || !wordsIn(content).some(exactly), true, excerpt);
    }),
    { numRuns: 500 },
  );
});

test('normalizing excerpts is bounded for all results together', () => {
  const excerptOf = excerpts(['lodz']);
  assert.equal(excerptOf('Łódź'), '<mark>Łódź</mark>');
  excerptOf('Ñandú '.repeat(3_000));
  assert.equal(excerptOf('Łódź and lodz'), 'Łódź and <mark>lodz</mark>');
});
