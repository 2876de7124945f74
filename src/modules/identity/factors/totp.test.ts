import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oathtoolCode, oathtoolPath } from '../../../../test/support/independent-authenticators.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';
import { base32, codeAt, stepAt, stepOf, stillRemembered } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test('codes are those of RFC 6238, appendix B', () => {
  const vectors: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = stepAt(seconds * SECOND_MS);
    assert.equal(codeAt(SECRET, step, 8), code);
    assert.equal(codeAt(SECRET, step), code.slice(2), 'six digits are the last ones of eight');
  }
});

test('base 32 is that of RFC 4648, section 10', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  const encoded = texts.map((text) => base32(Buffer.from(text)));
  assert.deepEqual(encoded, ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
});

test('a code is accepted in its step and in the neighbouring ones', () => {
  const step = 1_000;
  const code = codeAt(SECRET, step);
  const at = (seconds: number) => stepOf(SECRET, code, (step * 30 + seconds) * SECOND_MS);
  assert.deepEqual([-31, -30, 0, 29, 59, 60].map(at), [undefined, step, step, step, step, undefined]);
  assert.equal(stepOf(SECRET, '12345', step * 30 * SECOND_MS), undefined);
});

test('a used code stays used for a clock that is minutes behind', () => {
  const later = (1_000 * 30 + 180) * SECOND_MS;
  assert.deepEqual(stillRemembered([900, 1_000], later), [1_000]);
});

test('an independent program computes the same codes', {
  skip: !oathtoolPath && 'oathtool is missing',
}, () => {
  for (const seconds of [0, 59, 1_111_111_111, 2_000_000_000]) {
    const code = oathtoolCode(base32(SECRET), seconds * SECOND_MS);
    assert.equal(code, codeAt(SECRET, stepAt(seconds * SECOND_MS)));
  }
});
