// What cameras write into files is overwritten, and the pictures and the sound stay as they are.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { box, CAMERA_FILES, chunksOf, FILMED_AT, PLACE } from '../../../../test/support/camera-files.ts';
import { cleaned, decoded, edited, editsOf } from '../../../../test/support/cleaned-files.ts';
import { SAMPLES } from '../../../../test/support/pictures.ts';
import { ffmpeg, needsFfmpeg, newFolder } from '../../../../test/support/videos.ts';
import { withEdits } from './edits.ts';
import { Unreadable } from './source.ts';

type Extension = keyof typeof CAMERA_FILES;
const EXTENSIONS = Object.keys(CAMERA_FILES) as Extension[];
const folder = newFolder();

for (const extension of EXTENSIONS)
  test(`what a camera wrote into a file is overwritten: ${extension}`, async () => {
    const file = CAMERA_FILES[extension];
    assert.ok(file.includes(PLACE));
    const clean = await cleaned(extension, file);
    assert.equal(clean.length, file.length, 'the length stays');
    for (const part of ['PLACE', '52.52', '13.405', 'Photoshop', 'xap', 'MPF', 'JFXX'])
      assert.equal(clean.indexOf(part, 0, 'latin1'), -1, part);
    assert.deepEqual(await cleaned(extension, clean), clean, 'once more changes nothing');
  });

test('pictures are the same, bit for bit', needsFfmpeg, async () => {
  for (const extension of EXTENSIONS) {
    const file = CAMERA_FILES[extension];
    const before = decoded(`before.${extension}`, file);
    assert.match(before, /^0, /m, 'there is a picture');
    assert.equal(decoded(`after.${extension}`, await cleaned(extension, file)), before, extension);
  }
});

test('samples without metadata keep their bytes', async () => {
  for (const extension of EXTENSIONS)
    assert.deepEqual(await cleaned(extension, SAMPLES[extension]), SAMPLES[extension], extension);
  assert.deepEqual(await editsOf('webp', SAMPLES.losslessWebp), []);
});

test('a picture stays turned as it was, and only that is said', async () => {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex');
  const jpg = await cleaned('jpg', CAMERA_FILES.jpg);
  assert.ok(jpg.includes(Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.alloc(8)])));
  assert.ok(jpg.includes('ICC_PROFILE\0\x01\x01a profile', 0, 'latin1'), 'the colour profile stays');
  const png = await cleaned('png', CAMERA_FILES.png);
  const names = ['IHDR', 'eXIf', 'skIp', 'skIp', 'skIp', 'skIp', 'pHYs', 'IDAT', 'IEND'];
  assert.deepEqual(chunksOf(png), names);
  assert.ok(png.includes(tiff));
  const webp = await cleaned('webp', CAMERA_FILES.webp);
  assert.ok(webp.includes(Buffer.concat([Buffer.from('EXIF', 'latin1'), Buffer.from([61, 0, 0, 0]), tiff])));
  assert.equal(webp[20], 0x08, 'there are Exif data, and no XMP');
});

test('an upright picture keeps no Exif data', async () => {
  const upright = (file: Buffer): Buffer => {
    const copy = Buffer.from(file);
    const at = copy.indexOf(Buffer.from('1201030001000000', 'hex'));
    copy[at + 8] = 1;
    return copy;
  };
  assert.equal((await cleaned('jpg', upright(CAMERA_FILES.jpg))).indexOf('Exif'), -1);
  assert.equal((await cleaned('png', upright(CAMERA_FILES.png))).indexOf('eXIf'), -1);
  const webp = await cleaned('webp', upright(CAMERA_FILES.webp));
  assert.deepEqual([webp.indexOf('EXIF'), webp[20]], [-1, 0]);
});

test('a GIF keeps its repetition, and other extensions are comments of zeros', async () => {
  const gif = await cleaned('gif', CAMERA_FILES.gif);
  assert.ok(gif.includes('NETSCAPE2.0'));
  let at = 19;
  const labels: number[] = [];
  while (gif[at] === 0x21) {
    labels.push(gif[at + 1] as number);
    for (at += 2; gif[at] !== 0; at += 1 + (gif[at] as number));
    at++;
  }
  assert.deepEqual(labels, [0xff, 0xfe, 0xfe, 0xfe, 0xf9]);
  assert.equal(gif[at], 0x2c, 'the picture follows');
});

test('a film does not say when it was made', async () => {
  assert.ok(CAMERA_FILES.mp4.includes(FILMED_AT));
  const mp4 = await cleaned('mp4', CAMERA_FILES.mp4);
  assert.equal(mp4.indexOf(FILMED_AT), -1);
  assert.equal(mp4.indexOf('meta'), -1, 'the track of places is gone');
});

test('animations stay animations', needsFfmpeg, async () => {
  const animation = (name: string, ...options: string[]): Buffer => {
    const file = join(folder, name);
    ffmpeg(['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=5', '-t', '1', ...options, file]);
    return readFileSync(file);
  };
  const animations: [Extension, Buffer][] = [
    ['gif', animation('moving.gif')],
    ['png', animation('moving.png', '-f', 'apng', '-plays', '0')],
    ['avif', animation('moving.avif', '-c:v', 'libaom-av1', '-cpu-used', '8', '-metadata', `title=${PLACE}`)],
  ];
  for (const [extension, file] of animations) {
    const clean = await cleaned(extension, file);
    assert.equal(clean.indexOf('PLACE'), -1);
    const frames = decoded(`moving-before.${extension}`, file);
    assert.ok(frames.split('\n').length > 10, `${extension} has several pictures`);
    assert.equal(decoded(`moving-after.${extension}`, clean), frames, extension);
  }
  const webp = animation('moving.webp', '-loop', '0');
  assert.deepEqual(await editsOf('webp', webp), []);
});

test('files that cannot be read as their type are refused', async () => {
  const junk = Buffer.alloc(200, 7);
  const cut = (extension: Extension, length: number): Buffer =>
    Buffer.concat([SAMPLES[extension].subarray(0, length), junk]);
  const unreadable: [Extension, Buffer][] = [
    ['png', cut('png', 40)],
    ['jpg', cut('jpg', 38)],
    ['gif', Buffer.concat([CAMERA_FILES.gif.subarray(0, 19), junk])],
    ['avif', cut('avif', 60)],
    ['mp4', cut('mp4', 300)],
    ['mp4', box('ftyp', Buffer.from('isom\0\0\0\0', 'latin1'))],
    ['mp4', Buffer.concat([box('moov', Buffer.alloc(16, 1)), SAMPLES.mp4])],
    ['jpg', Buffer.from('ffd8fff70004aaaa', 'hex')],
  ];
  for (const [extension, file] of unreadable)
    await assert.rejects(editsOf(extension, file), Unreadable, `${extension} of ${file.length}`);
});

test('a GIF that goes on with junk in place of its trailer is served up to there', async () => {
  const whole = CAMERA_FILES.gif.subarray(0, CAMERA_FILES.gif.lastIndexOf(0x3b));
  const junk = Buffer.from('PLACE', 'latin1');
  const clean = await edited(
    Buffer.concat([whole, junk]),
    await editsOf('gif', Buffer.concat([whole, junk])),
  );
  const expected = await edited(whole, await editsOf('gif', whole));
  assert.deepEqual(clean, Buffer.concat([expected, Buffer.alloc(junk.length)]));
});

test('any part of a file is served as the whole file has it', async () => {
  for (const extension of EXTENSIONS) {
    const file = CAMERA_FILES[extension];
    const edits = await editsOf(extension, file);
    const clean = await edited(file, edits);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(file.length - 1),
        fc.integer({ min: 1, max: 999 }),
        async (from, chunkBytes) => {
          const part = await edited(file, edits, { from, chunkBytes });
          assert.ok(part.equals(clean.subarray(from)));
        },
      ),
      { numRuns: 30 },
    );
  }
});

test('a stream that breaks off is an error, not a shorter file', async () => {
  async function* broken() {
    yield CAMERA_FILES.png.subarray(0, 50);
    throw new Error('cut');
  }
  const edits = await editsOf('png', CAMERA_FILES.png);
  const read = async () => {
    for await (const _ of withEdits(Readable.from(broken()), edits, 0));
  };
  await assert.rejects(read(), /cut/);
});

test('any bytes are edited within their length, or refused', async () => {
  const damaged = (extension: Extension) =>
    fc
      .tuple(
        fc.constantFrom<Buffer>(CAMERA_FILES[extension], SAMPLES[extension]),
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 255))), { maxLength: 6 }),
      )
      .map(([file, length, changes]) => {
        const copy = Buffer.from(file.subarray(0, length % 3 === 0 ? length % file.length : file.length));
        for (const [at, value] of changes) if (copy.length > 0) copy[at % copy.length] = value;
        return copy;
      });
  for (const extension of EXTENSIONS)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(damaged(extension), fc.uint8Array({ maxLength: 64 }).map(Buffer.from)),
        async (file) => {
          const edits = await editsOf(extension, file).catch((error) => {
            assert.ok(error instanceof Unreadable, String(error.stack));
            return [];
          });
          let end = 0;
          for (const edit of edits) {
            assert.ok(
              edit.at >= end && edit.end > edit.at && edit.pattern.length > 0,
              'in order, none overlap',
            );
            end = edit.end;
          }
          assert.ok(end <= file.length);
        },
      ),
      { numRuns: 1_500 },
    );
});

test('files of countless small parts are refused instead of being read for long', async () => {
  const emptyChunk = Buffer.from('00000000617878780000000000'.slice(0, 24), 'hex');
  const many: [Extension, Buffer][] = [
    ['png', Buffer.concat([SAMPLES.png.subarray(0, 33), ...Array(250_000).fill(emptyChunk)])],
    ['mp4', Buffer.concat([SAMPLES.mp4, ...Array(250_000).fill(box('abcd'))])],
    [
      'gif',
      Buffer.concat([CAMERA_FILES.gif.subarray(0, 19), ...Array(250_000).fill(Buffer.from('21fe00', 'hex'))]),
    ],
  ];
  for (const [extension, file] of many)
    await assert.rejects(editsOf(extension, file, 65_536), Unreadable, extension);
});
