import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isVisible, keepsDirection, withoutTurning } from './visible.ts';

const INVISIBLE = [
  ' ',
  '\t',
  '\n',
  '\u00a0',
  '\u3000',
  '\u2028',
  // Zero-width space, byte order mark, soft hyphen, word joiner.
  '\u200b',
  '\u200c',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u2060',
  // Bidirectional marks and overrides, controls.
  '\u200e',
  '\u202e',
  '\u2066',
  '\u061c',
  '\u0000',
  '\u007f',
  '\u009f',
  // Hangul fillers, the blank Braille pattern, variation selectors, tags.
  '\u115f',
  '\u3164',
  '\uffa0',
  '\u2800',
  '\ufe0f',
  '\u{e0020}',
  '\ud800',
];
const invisible = fc.array(fc.constantFrom(...INVISIBLE), { maxLength: 20 }).map((all) => all.join(''));

test('a text of invisible characters only is not visible', () => {
  fc.assert(fc.property(invisible, (text) => assert.equal(isVisible(text), false)));
});

test('one visible character makes a text visible', () => {
  const visible = fc.constantFrom('a', '0', '.', 'ż', '金', 'ع', 'ह', '👍', '👩‍🚀', '❤️', '✓', '\u0301');
  fc.assert(
    fc.property(invisible, visible, invisible, (before, one, after) =>
      assert.equal(isVisible(before + one + after), true),
    ),
  );
});

test('embeddings, overrides and isolates turn the line, marks and right-to-left letters do not', () => {
  for (const one of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069') {
    assert.equal(keepsDirection(`A${one}da`), false, escape(one));
    assert.equal(withoutTurning(`A${one}d${one}a`), 'Ada');
  }
  for (const name of ['Ada', 'عدا', 'עדה\u200f', '', 'A\u2029B', 'A\u2065B', 'A\u206aB'])
    assert.deepEqual([keepsDirection(name), withoutTurning(name)], [true, name]);
});
