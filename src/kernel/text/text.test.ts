import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shorten, shortenTo } from './text.ts';

const FAMILY = '👨‍👩‍👧‍👦';
const clusters = ['a', ' ', 'é', 'e\u0301', '🎉', '👍🏽', FAMILY, '🇵🇱', 'ก็', 'नि', '\r\n', '日'];
const text = fc.array(fc.constantFrom(...clusters), { maxLength: 60 }).map((some) => some.join(''));
const clustersOf = (some: string): string[] =>
  Array.from(new Intl.Segmenter('en').segment(some), ({ segment }) => segment);

test('a text that fits is left alone, and a longer one is cut between grapheme clusters', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 120 }), (whole, maxBytes) => {
      const fits = (one: string): boolean => Buffer.byteLength(one) <= maxBytes;
      const short = shorten(whole, fits);
      if (fits(whole)) return assert.equal(short, whole);
      if (short === '') return;
      assert.ok(fits(short) && short.endsWith('…') && short.isWellFormed());
      const kept = clustersOf(short.slice(0, -1));
      assert.deepEqual(kept, clustersOf(whole).slice(0, kept.length), 'whole clusters of the beginning');
    }),
    { numRuns: 2000 },
  );
});

test('a cut text keeps as much as fits', () => {
  assert.equal(shortenTo('abcdef', 6), 'abcdef');
  assert.equal(shortenTo('abcdefg', 6), 'abcde…');
  assert.equal(shortenTo('🎉'.repeat(200), 200), '🎉'.repeat(200), 'counted as maxLength counts');
  assert.equal(shortenTo(FAMILY.repeat(3), 16), `${FAMILY.repeat(2)}…`);
  assert.equal(shortenTo(FAMILY, 3), '', 'a single cluster that is too long is left out');
});
