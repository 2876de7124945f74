// What others can fetch of what members upload has no place, device, author or time of the camera.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CAMERA_FILES, PLACE } from '../../../test/support/camera-files.ts';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { type ReadOptions, StorageFault } from '../../external/storage/port.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { servedFiles } from './served-files.ts';

const { platform } = await startPlatform();
const { media } = platform;
const newId = idMaker(systemClock);

const TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  mp4: 'video/mp4',
} as const;
type Extension = keyof typeof TYPES;

const ticketFor = (extension: Extension, bytes: number, owner = newId()) =>
  media.requestPublicUpload('story', owner, {
    fileName: 'x',
    fileSize: bytes,
    contentType: TYPES[extension],
  });

async function put(ticket: Awaited<ReturnType<typeof ticketFor>>, file: Buffer): Promise<void> {
  const { headers } = ticket.instructions;
  const body = new Uint8Array(file);
  assert.equal((await fetch(ticket.uploadUrl, { method: 'PUT', headers, body })).status, 200);
}

async function uploaded(extension: Extension, file: Buffer): Promise<string> {
  const ticket = await ticketFor(extension, file.length);
  await put(ticket, file);
  return ticket.publicUrl;
}

async function bytesOf(answer: Response): Promise<Buffer> {
  assert.ok(answer.ok, String(answer.status));
  return Buffer.from(await answer.arrayBuffer());
}

for (const extension of Object.keys(TYPES) as Extension[])
  test(`whole or in parts, a file is served without the place of the camera: ${extension}`, async () => {
    const file = CAMERA_FILES[extension];
    const url = await uploaded(extension, file);
    const parts: Buffer[] = [];
    // The first request of all is for a part.
    const step = Math.ceil(file.length / 17);
    for (let first = 0; first < file.length; first += step)
      parts.push(
        await bytesOf(await fetch(url, { headers: { range: `bytes=${first}-${first + step - 1}` } })),
      );
    const answer = await fetch(url);
    const facts = [answer.headers.get('content-length'), answer.headers.get('etag')];
    const whole = await bytesOf(answer);
    assert.equal(whole.indexOf(PLACE), -1);
    assert.deepEqual(Buffer.concat(parts), whole);
    assert.equal(whole.length, file.length);
    const head = await fetch(url, { method: 'HEAD' });
    assert.deepEqual([head.headers.get('content-length'), head.headers.get('etag')], facts);
    assert.equal(facts[0], String(whole.length));
    const last = await bytesOf(await fetch(url, { headers: { range: 'bytes=-50' } }));
    assert.deepEqual(last, whole.subarray(-50));
    await media.checkPublicUrls({ mediaUrl: url });
  });

test('what caches hold of a file as it was uploaded is not confirmed', async () => {
  const url = await uploaded('jpg', CAMERA_FILES.jpg);
  const asStored = `"${createHash('md5').update(CAMERA_FILES.jpg).digest('hex')}"`;
  assert.equal((await fetch(url, { headers: { 'if-none-match': asStored } })).status, 200);
  const etag = (await fetch(url)).headers.get('etag') as string;
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
  const range = { range: 'bytes=0-9', 'if-range': asStored };
  assert.equal((await fetch(url, { headers: range })).status, 200, 'a copy as uploaded is not continued');
  assert.equal((await fetch(url, { headers: { ...range, 'if-range': etag } })).status, 206);
});

test('a size that is not made yet is the picture without the place', async () => {
  const url = await uploaded('png', CAMERA_FILES.png);
  assert.equal((await bytesOf(await fetch(`${url}/small`))).indexOf(PLACE), -1);
});

test('a file that is uploaded again by its link is served without its place, too', async () => {
  const file = CAMERA_FILES.png;
  const plain = Buffer.concat([SAMPLES.png, Buffer.alloc(file.length - SAMPLES.png.length)]);
  const ticket = await ticketFor('png', file.length);
  for (const next of [plain, file, plain]) {
    await put(ticket, next);
    const seen = await bytesOf(await fetch(ticket.publicUrl));
    assert.equal(seen.indexOf(PLACE), -1);
    assert.equal(seen.equals(plain), next === plain);
  }
});

test('what cannot be read as its type is not served, and cannot be saved', async () => {
  // The beginnings are right.
  const broken: [Extension, Buffer][] = [
    ['png', Buffer.concat([SAMPLES.png.subarray(0, 40), Buffer.from(PLACE)])],
    ['mp4', Buffer.concat([SAMPLES.mp4.subarray(0, 48), Buffer.from(PLACE)])],
  ];
  for (const [extension, file] of broken) {
    const url = await uploaded(extension, file);
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(url, { method })).status, 404, extension);
    await assert.rejects(media.checkPublicUrls({ mediaUrl: url }), { status: 422 });
  }
});

/** A part of a PNG of two megabytes that every decoder passes over. */
function longChunk(): Buffer {
  const chunk = Buffer.alloc(12 + 2 * 1024 ** 2);
  chunk.writeUInt32BE(chunk.length - 12);
  chunk.write('skIp', 4, 'latin1');
  return chunk;
}

/** A storage of one file in memory, which counts its reads. */
function storageOf(file: Buffer) {
  const state = { file, etag: '"1"', reads: 0 };
  const facts = () => ({
    key: 'files/image/x/y.png',
    bytes: state.file.length,
    contentType: 'image/png',
    etag: state.etag,
    modifiedAt: new Date(0),
  });
  const read = async (_key: string, { range }: ReadOptions = {}) => {
    state.reads++;
    const last = range?.last ?? state.file.length - 1;
    return {
      ...facts(),
      body: Readable.from([state.file.subarray(range?.first ?? 0, last + 1)]),
      ...(range ? { range: { first: range.first, last } } : {}),
    };
  };
  return { state, storage: { head: async () => facts(), read } };
}

test('a file is looked at once, for however many requests', async () => {
  const { state, storage } = storageOf(CAMERA_FILES.png);
  const served = servedFiles(storage);
  await Promise.all(Array.from({ length: 20 }, () => served.head('files/image/x/y.png')));
  assert.equal(state.reads, 1);
});

test('few files are looked at at once, and none is refused because the storage failed', async () => {
  const { storage } = storageOf(CAMERA_FILES.png);
  const state = { isFailing: true, reading: 0, most: 0 };
  const served = servedFiles({
    head: async (key) => ({ ...(await storage.head()), key }),
    async read(key, options) {
      state.most = Math.max(state.most, ++state.reading);
      await setImmediate();
      state.reading--;
      if (state.isFailing) throw new StorageFault('down');
      return storage.read(key, options);
    },
  });
  const keys = Array.from({ length: 40 }, (_, place) => `files/image/x/${place}.png`);
  const heads = () => Promise.allSettled(keys.map((key) => served.head(key)));
  for (const one of await heads())
    assert.ok(one.status === 'rejected' && one.reason instanceof StorageFault, String(one.status));
  state.isFailing = false;
  for (const one of await heads()) assert.equal(one.status, 'fulfilled');
  assert.ok(state.most <= 8, `${state.most} at once`);
});

test('a file that changes while it is looked at is not served as the other one', async () => {
  const { state, storage } = storageOf(SAMPLES.png);
  const served = servedFiles({
    ...storage,
    read: async (key, options) => {
      const found = await storage.read(key, options);
      // Another file arrives after the first one was opened.
      if (state.reads === 1) Object.assign(state, { file: CAMERA_FILES.png, etag: '"2"' });
      return found;
    },
  });
  await assert.rejects(served.read('files/image/x/y.png'), { status: 404 });
  const found = await served.read('files/image/x/y.png');
  const chunks = await found?.body.toArray();
  assert.equal(Buffer.concat(chunks as Buffer[]).indexOf(PLACE), -1);
});

test('why a file is not served is said once, for however many requests', async () => {
  const refused: string[] = [];
  const note = (key: string, reason: string) => void refused.push(`${key}: ${reason}`);
  const key = 'files/image/x/y.png';
  for (const file of [Buffer.from('no picture'), SAMPLES.png.subarray(0, 20)]) {
    const served = servedFiles(storageOf(file).storage, note);
    for (let request = 0; request < 3; request++) await assert.rejects(served.head(key), { status: 404 });
  }
  assert.deepEqual(
    refused.map((line) => line.split(': ')[0]),
    [key, key],
  );
  assert.match(String(refused[0]), /not of its type/);
});

test('a storage that does not tell versions of a file apart serves none', async () => {
  const { state, storage } = storageOf(SAMPLES.png);
  state.etag = '';
  await assert.rejects(servedFiles(storage).read('files/image/x/y.png'), StorageFault);
});

test('what a storage does not show of a file is not taken for its end', async () => {
  const { storage } = storageOf(CAMERA_FILES.png);
  const served = servedFiles({
    ...storage,
    read: async (key, options) => {
      const found = await storage.read(key, options);
      return { ...found, body: Readable.from([SAMPLES.png.subarray(0, 60)]) };
    },
  });
  await assert.rejects(served.read('files/image/x/y.png'), StorageFault);
});

test('a storage that ignores ranges shows no later part of a file', async () => {
  // Longer than what is read at once.
  const file = Buffer.concat([SAMPLES.png.subarray(0, -12), longChunk(), SAMPLES.png.subarray(-12)]);
  const { storage } = storageOf(file);
  const key = 'files/image/x/y.png';
  assert.equal(await servedFiles(storage).admits((await storage.head()) as never), true);
  const served = servedFiles({ ...storage, read: (name) => storage.read(name) });
  await assert.rejects(served.read(key), StorageFault);
});
