import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isVisible } from './visible.ts';

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
