// Smaller copies of pictures: when they are created, their content, and the responses while they are missing.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { CAMERA_FILES, PLACE } from '../../../test/support/camera-files.ts';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { ffmpeg, needsFfmpeg, newFolder, until, workFolder } from '../../../test/support/videos.ts';
import { SourceRefused } from '../../external/transcoder/port.ts';
import { idMaker } from '../../kernel/ids.ts';
import type { JobContext } from '../../kernel/messaging/jobs.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { pictureSizes } from './picture-sizes.ts';
import { servedFiles } from './served-files.ts';

const { platform, clock } = await startPlatform({ VIDEO_WORK_DIR: workFolder() });
const { media } = platform;
const newId = idMaker(systemClock);
const folder = newFolder();

async function uploaded(contentType: string, bytes: Buffer, ownerId = newId()): Promise<string> {
  const { publicUrl, uploadUrl, instructions } = await media.requestPublicUpload('story', ownerId, {
    fileName: 'x',
    fileSize: bytes.length,
    contentType,
  });
  const sent = await fetch(uploadUrl, { method: 'PUT', headers: instructions.headers, body: bytes as never });
  assert.equal(sent.status, 200);
  return publicUrl;
}
const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });
const typeOf = (response: Response): string | null => response.headers.get('content-type');
const untilMade = (url: string): Promise<Response> =>
  until('the size', async () => {
    const response = await get(url);
    return typeOf(response) === 'image/webp' ? response : undefined;
  });
/** Width and height of a WebP as ffmpeg writes them. */
function sizeOf(webp: Buffer): [number, number] {
  if (webp.toString('latin1', 12, 16) === 'VP8X')
    return [webp.readUIntLE(24, 3) + 1, webp.readUIntLE(27, 3) + 1];
  return [webp.readUInt16LE(26) & 0x3fff, webp.readUInt16LE(28) & 0x3fff];
}
function drawn(name: string, ...options: string[]): Buffer {
  const file = join(folder, name);
  ffmpeg([...options, '-frames:v', '1', file]);
  return readFileSync(file);
}
/** Without the name of its encoder, which would not be served. */
const photograph = (name: string, size: string): Buffer =>
  drawn(name, '-f', 'lavfi', '-i', `testsrc=size=${size}`, '-flags:v', '+bitexact');

test(
  'a picture is served in three sizes, first as it was uploaded, and never enlarged',
  needsFfmpeg,
  async () => {
    const original = photograph('wide.jpg', '1600x800');
    const url = await uploaded('image/jpeg', original);
    const sizes = media.sizesOf(url);
    assert.deepEqual(sizes, { small: `${url}/small`, medium: `${url}/medium`, large: `${url}/large` });
    const first = await get(`${url}/small`);
    assert.deepEqual([first.status, typeOf(first)], [200, 'image/jpeg']);
    assert.equal(first.headers.get('cache-control'), 'public, max-age=30', 'no cache keeps it for long');
    assert.deepEqual(Buffer.from(await first.arrayBuffer()), original);
    const made: Record<string, [number, number]> = {};
    for (const [name, address] of Object.entries(sizes ?? {})) {
      const response = await untilMade(address);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=86400');
      made[name] = sizeOf(Buffer.from(await response.arrayBuffer()));
      const etag = response.headers.get('etag') as string;
      assert.equal((await get(address, { 'if-none-match': etag })).status, 304);
    }
    assert.deepEqual(made, { small: [160, 80], medium: [480, 240], large: [1280, 640] });
    assert.deepEqual(Buffer.from(await (await get(url)).arrayBuffer()), original, 'the original stays');

    const tiny = await uploaded('image/png', photograph('tiny.png', '40x30'));
    await get(`${tiny}/large`);
    const large = await untilMade(`${tiny}/large`);
    assert.deepEqual(sizeOf(Buffer.from(await large.arrayBuffer())), [40, 30]);
  },
);

test(
  'EXIF data of a camera are applied and removed: copies are upright and contain no location',
  needsFfmpeg,
  async () => {
    const plain = photograph('plain.jpg', '600x400');
    // Sets an Exif rotation to the right, on behalf of all other metadata.
    const tiff = Buffer.from('4d4d002a000000080001011200030000000100060000000000004c4f434154494f4e', 'hex');
    const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(exif.length + 2);
    const turned = Buffer.concat([
      plain.subarray(0, 2),
      Buffer.from([0xff, 0xe1]),
      length,
      exif,
      plain.subarray(2),
    ]);
    assert.ok(turned.includes('LOCATION'));
    const url = await uploaded('image/jpeg', turned);
    await get(`${url}/medium`);
    const bytes = Buffer.from(await (await untilMade(`${url}/medium`)).arrayBuffer());
    assert.deepEqual(sizeOf(bytes), [320, 480]);
    assert.ok(!bytes.includes('LOCATION'));
  },
);

test('pictures of all types are resized, including transparent and animated ones', needsFfmpeg, async () => {
  const pictures: [string, Buffer][] = [
    ['image/png', drawn('clear.png', '-f', 'lavfi', '-i', 'color=red@0.3:s=300x200,format=rgba')],
    ['image/gif', photograph('moving.gif', '300x200')],
    ['image/webp', photograph('still.webp', '300x200')],
  ];
  for (const [type, bytes] of pictures) {
    const url = await uploaded(type, bytes);
    await get(`${url}/small`);
    const made = await until(type, async () => {
      const body = Buffer.from(await (await get(`${url}/small`)).arrayBuffer());
      return body.equals(bytes) ? undefined : body;
    });
    assert.deepEqual(sizeOf(made), [160, 107], type);
  }
});

test('a picture that ffmpeg cannot read is served in its own size, and other files have no sizes', async () => {
  const damaged = Buffer.from(SAMPLES.png);
  damaged.fill(7, damaged.indexOf('IDAT') + 4, damaged.indexOf('IEND') - 8);
  const url = await uploaded('image/png', damaged);
  assert.equal((await get(`${url}/small`)).status, 200);
  assert.deepEqual(Buffer.from(await (await get(`${url}/small`)).arrayBuffer()), damaged);
  const page = await uploaded('image/png', Buffer.from('<!doctype html><script>alert(1)</script>'));
  assert.equal((await get(`${page}/small`)).status, 404);
  const film = await uploaded('video/mp4', SAMPLES.mp4);
  assert.equal((await get(`${film}/small`)).status, 404);
  assert.equal(media.sizesOf(film), null);
  assert.equal(media.sizesOf('https://example.com/x.png'), null);
  for (const wrong of [`${url}/huge`, `${url}/small/small`, `${url}~x~small`])
    assert.equal((await get(wrong)).status, 404, wrong);
});

test(
  'a picture that is removed takes its sizes with it, and one that is replaced gets new ones',
  needsFfmpeg,
  async () => {
    const owner = newId();
    const url = await uploaded('image/png', photograph('gone.png', '400x400'), owner);
    await get(`${url}/small`);
    await untilMade(`${url}/small`);
    clock.advance(25 * 3_600_000);
    await platform.runJob('media.sweep');
    clock.advance(-25 * 3_600_000);
    assert.equal((await get(`${url}/small`)).status, 404);

    const [first, second] = [photograph('one.png', '300x300'), photograph('two.png', '200x100')];
    const bytes = Math.max(first.length, second.length);
    const padded = (picture: Buffer) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]);
    const ticket = await media.requestPublicUpload('image', owner, {
      fileName: 'x',
      fileSize: bytes,
      contentType: 'image/png',
    });
    const { headers } = ticket.instructions;
    for (const [picture, expected] of [
      [first, [160, 160]],
      [second, [160, 80]],
    ] as const) {
      await fetch(ticket.uploadUrl, { method: 'PUT', headers, body: padded(picture) as never });
      await get(`${ticket.publicUrl}/small`);
      const made = await untilMade(`${ticket.publicUrl}/small`);
      assert.deepEqual(sizeOf(Buffer.from(await made.arrayBuffer())), expected);
    }
  },
);

test('without ffmpeg every size is the original picture', async () => {
  const without = await startPlatform({ FFMPEG_PATH: join(folder, 'no-such-ffmpeg'), LOG_LEVEL: 'silent' });
  const { publicUrl, uploadUrl, instructions } = await without.platform.media.requestPublicUpload(
    'image',
    newId(),
    {
      fileName: 'x',
      fileSize: SAMPLES.png.length,
      contentType: 'image/png',
    },
  );
  await fetch(uploadUrl, { method: 'PUT', headers: instructions.headers, body: SAMPLES.png as never });
  for (let turn = 0; turn < 2; turn++) {
    const answer = await get(`${publicUrl}/large`);
    assert.deepEqual([answer.status, typeOf(answer)], [200, 'image/png']);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), SAMPLES.png);
  }
});

test('a picture that cannot be read is tried once, by whichever process', async () => {
  const stored = new Map<string, Buffer>([['files/image/x/y.png', Buffer.from('png')]]);
  const storage = {
    head: async (key: string) => stored.has(key) && { etag: '"1"', bytes: 3 },
    download: async (_key: string, file: string) => writeFileSync(file, 'png'),
    write: async (key: string, body: Buffer) => void stored.set(key, body),
  };
  let tries = 0;
  const transcoder = {
    isAvailable: () => true,
    hasRoomFor: async () => true,
    openFolder: async () => ({ path: folder, partFolder: async () => folder, remove: async () => undefined }),
    shrink: async () => {
      tries++;
      throw new SourceRefused('DAMAGED');
    },
  };
  const served = { admits: async () => true, editsOf: async () => [] };
  const deps = { storage, served, transcoder } as unknown as Parameters<typeof pictureSizes>[0];
  const context = { signal: new AbortController().signal } as JobContext;
  for (let process = 0; process < 2; process++)
    await pictureSizes(deps).job.run?.({ key: 'files/image/x/y.png' }, context);
  assert.equal(tries, 1);
});

test('ffmpeg is not given what the camera wrote', async () => {
  const file = CAMERA_FILES.jpg;
  const facts = { key: 'files/image/x/y.jpg', etag: '"1"', bytes: file.length };
  const storage = {
    head: async (key: string) => (key === facts.key ? facts : undefined),
    read: async () => ({ ...facts, body: Readable.from([file]) }),
    download: async (_key: string, path: string) => writeFileSync(path, file),
    write: async () => undefined,
  } as unknown as Parameters<typeof pictureSizes>[0]['storage'];
  const given: Buffer[] = [];
  const transcoder = {
    isAvailable: () => true,
    hasRoomFor: async () => true,
    openFolder: async () => ({ path: folder, partFolder: async () => folder, remove: async () => undefined }),
    shrink: async ({ source }: { source: string }) => {
      given.push(readFileSync(source));
      throw new SourceRefused('DAMAGED');
    },
  };
  const deps = { storage, served: servedFiles(storage), transcoder };
  const sizes = pictureSizes(deps as unknown as Parameters<typeof pictureSizes>[0]);
  await sizes.job.run?.({ key: facts.key }, { signal: new AbortController().signal } as JobContext);
  assert.deepEqual(
    given.map((picture) => [picture.length, picture.indexOf(PLACE)]),
    [[file.length, -1]],
  );
});
