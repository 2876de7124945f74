// Pictures are recognized by their bytes. The samples are real, of 6 by 4 pixels.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { HEAD_BYTES, isContentOf } from './file-content.ts';

const EXTENSIONS = ['png', 'gif', 'jpg', 'webp', 'avif', 'mp4'] as const;

test('each sample is recognized as its own type only', () => {
  for (const sample of EXTENSIONS)
    for (const extension of EXTENSIONS)
      assert.equal(
        isContentOf(extension, SAMPLES[sample]),
        sample === extension,
        `${sample} as ${extension}`,
      );
  assert.ok(isContentOf('webp', SAMPLES.losslessWebp));
  assert.ok(!isContentOf('svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')));
});

test('web pages and scripts are not served', () => {
  for (const text of [
    '',
    '<!doctype html><script>',
    '<svg onload=alert(1)>',
    '#EXTM3U',
    'GIF',
    'RIFF',
    '\xff\xd8\xff',
  ])
    for (const extension of EXTENSIONS) assert.ok(!isContentOf(extension, Buffer.from(text, 'latin1')), text);
});

test('pictures without a size, or too large for browsers, are refused', () => {
  const ispe = SAMPLES.avif.indexOf('ispe');
  const frame = SAMPLES.jpg.indexOf(Buffer.from([0xff, 0xc0]));
  for (const side of [0, 0x3fff, 0xffff]) {
    const [png, gif, jpg, avif] = (['png', 'gif', 'jpg', 'avif'] as const).map((one) =>
      Buffer.from(SAMPLES[one]),
    );
    for (const at of [16, 20]) png?.writeUInt32BE(side, at);
    for (const at of [6, 8]) gif?.writeUInt16LE(side, at);
    for (const at of [5, 7]) jpg?.writeUInt16BE(side, frame + at);
    for (const at of [8, 12]) avif?.writeUInt32BE(side, ispe + at);
    for (const [extension, head] of Object.entries({ png, gif, jpg, avif }))
      assert.ok(!isContentOf(extension, head as Buffer), `${extension} of ${side}`);
  }
});

/** A photograph with so many segments of camera metadata, of 64 KB each, before its size. */
function photograph(segments: number): Buffer {
  const one = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xfffd)]);
  const notes = Buffer.concat(Array.from({ length: segments }, () => one));
  return Buffer.concat([SAMPLES.jpg.subarray(0, 2), notes, SAMPLES.jpg.subarray(2)]).subarray(0, HEAD_BYTES);
}

test('a photograph whose size follows long camera metadata is accepted, unless the size may be anything', () => {
  assert.ok(isContentOf('jpg', photograph(5)));
  assert.ok(isContentOf('jpg', photograph(15)));
  assert.equal(isContentOf('jpg', photograph(17)), false);
});

test('any bytes are classified without an error', () => {
  const samples = fc.constantFrom(...EXTENSIONS.map((one) => SAMPLES[one]));
  const damaged = fc
    .tuple(samples, fc.nat(400), fc.array(fc.tuple(fc.nat(399), fc.nat(255)), { maxLength: 8 }))
    .map(([sample, length, changes]) => {
      const copy = Buffer.from(sample.subarray(0, length));
      for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 64 }).map(Buffer.from)), (head) => {
      for (const extension of EXTENSIONS) assert.equal(typeof isContentOf(extension, head), 'boolean');
    }),
    { numRuns: 2_000 },
  );
});
