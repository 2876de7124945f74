import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ObjectStorage, StorageFault, type StoredObject } from '../../external/storage/port.ts';
import { manualClock } from '../../kernel/time/time.ts';
import { type HeldObject, recentObjects } from './recent-objects.ts';

const KIB = 1024;
/** Each object also occupies a KiB besides its content. */
const ENTRY = KIB;

/** A storage in memory that counts reads, and holds them back on request. */
function fakeStorage() {
  const objects = new Map<string, { content: Buffer; etag: string }>();
  const reads: string[] = [];
  let gate: Promise<void> | undefined;
  let fault: Error | undefined;
  const read = async (key: string): Promise<StoredObject | undefined> => {
    reads.push(key);
    await gate;
    if (fault) throw fault;
    const found = objects.get(key);
    return (
      found && {
        key,
        bytes: found.content.length,
        contentType: 'video/mp4',
        etag: found.etag,
        modifiedAt: new Date(0),
        body: Readable.from([found.content.subarray(0, 7), found.content.subarray(7)]),
      }
    );
  };
  return {
    storage: { read } as Partial<ObjectStorage> as ObjectStorage,
    reads,
    put: (key: string, content: Buffer, etag = `"${content.length}"`) => objects.set(key, { content, etag }),
    remove: (key: string) => objects.delete(key),
    failWith: (error: Error | undefined) => {
      fault = error;
    },
    /** Makes reads wait until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = undefined;
        resolve();
      };
    },
  };
}

function cacheOf(maxBytes: number) {
  const clock = manualClock();
  const fake = fakeStorage();
  return { ...fake, clock, recent: recentObjects({ storage: fake.storage, clock, maxBytes }) };
}

const isHeld = (found: unknown): found is HeldObject =>
  typeof found === 'object' && found !== null && 'content' in found;

/** Opens an object that must be held. */
async function opened(recent: ReturnType<typeof recentObjects>, key: string): Promise<HeldObject> {
  const found = await recent.open(key);
  assert.ok(isHeld(found), key);
  return found;
}

test('a hundred concurrent viewers of a segment cause one read, and later ones none', async () => {
  const { recent, reads, put, hold } = cacheOf(64 * KIB);
  put('a', Buffer.from('a segment of a video'));
  const letGo = hold();
  const waiting = Array.from({ length: 100 }, () => opened(recent, 'a'));
  letGo();
  for (const { content, release } of await Promise.all(waiting)) {
    assert.equal(content.toString(), 'a segment of a video');
    release();
  }
  (await opened(recent, 'a')).release();
  assert.deepEqual(reads, ['a']);
});

test('missing objects and failed reads are not cached, and every waiting viewer gets the error', async () => {
  const { recent, reads, put, hold, failWith } = cacheOf(64 * KIB);
  assert.equal(await recent.open('a'), undefined);
  put('a', Buffer.from('content'));
  failWith(new StorageFault('away'));
  const letGo = hold();
  const waiting = Array.from({ length: 3 }, () => recent.open('a'));
  letGo();
  for (const { status } of await Promise.allSettled(waiting)) assert.equal(status, 'rejected');
  assert.deepEqual(recent.figures(), { objects: 0, bytes: 0, reads: 2 });
  failWith(undefined);
  (await opened(recent, 'a')).release();
  assert.equal(reads.length, 3);
});

test('truncated reads are neither served nor cached', async () => {
  const { recent, storage, put } = cacheOf(64 * KIB);
  put('a', Buffer.from('content'));
  const whole = storage.read;
  storage.read = async (key) => {
    const found = await whole(key);
    return found && { ...found, bytes: found.bytes + 1 };
  };
  await assert.rejects(recent.open('a'), StorageFault);
  assert.equal(recent.figures().bytes, 0);
});

test('the least recently used object is evicted first', async () => {
  const { recent, reads, put } = cacheOf(4 * (KIB + ENTRY));
  for (const key of ['a', 'b', 'c', 'd', 'e']) put(key, Buffer.alloc(KIB));
  for (const key of ['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b']) (await opened(recent, key)).release();
  assert.deepEqual(reads, ['a', 'b', 'c', 'd', 'e', 'b']);
});

test('objects being sent are not evicted, and others are streamed when memory is full', async () => {
  const { recent, put } = cacheOf(4 * (KIB + ENTRY));
  for (const key of ['a', 'b', 'c', 'd', 'e']) put(key, Buffer.alloc(KIB, key));
  const sending = await Promise.all(['a', 'b', 'c', 'd'].map((key) => opened(recent, key)));
  const [first, second] = await Promise.all([recent.open('e'), recent.open('e')]);
  assert.ok(first && first !== 'not held' && 'body' in first, 'the one that read it streams it');
  assert.equal(second, 'not held');
  assert.equal(sending[0]?.content.toString(), 'a'.repeat(KIB));
  for (const { release } of sending) release();
  assert.ok(isHeld(await recent.open('e')));
});

test('an object larger than a quarter of the memory is streamed', async () => {
  const { recent, put } = cacheOf(16 * KIB);
  put('large', Buffer.alloc(4 * KIB));
  const found = await recent.open('large');
  assert.ok(found && found !== 'not held' && 'body' in found);
  assert.equal(recent.figures().bytes, 0);
});

test('a removed object is dropped from the cache, also while it is being read', async () => {
  const { recent, put, remove, hold } = cacheOf(64 * KIB);
  put('videos/1/a', Buffer.from('old'));
  put('videos/2/a', Buffer.from('other'));
  for (const key of ['videos/1/a', 'videos/2/a']) (await opened(recent, key)).release();
  remove('videos/1/a');
  recent.forget('videos/1/');
  assert.equal(await recent.open('videos/1/a'), undefined);
  assert.ok(recent.has('videos/2/a'));
  put('videos/1/b', Buffer.from('old'));
  const letGo = hold();
  const begun = recent.open('videos/1/b');
  recent.forget('videos/1/');
  letGo();
  const found = await begun;
  if (isHeld(found)) found.release();
  remove('videos/1/b');
  assert.equal(await recent.open('videos/1/b'), undefined);
});

test('a removed or replaced object is served for at most a minute without a notice', async () => {
  const { recent, clock, put, remove } = cacheOf(64 * KIB);
  put('a', Buffer.from('old'));
  (await opened(recent, 'a')).release();
  put('a', Buffer.from('newer'));
  clock.advance(60_001);
  const replaced = await opened(recent, 'a');
  assert.deepEqual([replaced.content.toString(), replaced.etag], ['newer', '"5"']);
  replaced.release();
  remove('a');
  clock.advance(60_001);
  assert.equal(await recent.open('a'), undefined);
});

/** A cache and the model of its content. */
function modelled(maxBytes: number) {
  const { recent, clock, put } = cacheOf(maxBytes);
  const sending: HeldObject[] = [];
  const sentBytes = () =>
    [...new Set(sending.map(({ content }) => content))].reduce((sum, { length }) => sum + length + ENTRY, 0);
  return {
    recent,
    async open(key: string): Promise<void> {
      const [found, other] = await Promise.all([recent.open(key), recent.open(key)]);
      if (isHeld(other)) other.release();
      if (isHeld(found)) sending.push(found);
    },
    release: (place: number) => sending.splice(place % (sending.length + 1), 1)[0]?.release(),
    replace(key: string, bytes: number): void {
      put(key, Buffer.alloc(bytes, bytes % 256));
      recent.forget(key);
    },
    wait: (ms: number) => clock.advance(ms),
    check(): void {
      assert.ok(recent.figures().bytes <= maxBytes);
      assert.ok(recent.figures().bytes >= sentBytes());
      for (const { content, etag } of sending) assert.equal(etag, `"${content.length}"`);
    },
    end(): void {
      for (const { release } of sending) release();
      recent.forget('');
      assert.deepEqual({ ...recent.figures(), reads: 0 }, { objects: 0, bytes: 0, reads: 0 });
    },
  };
}
type Modelled = ReturnType<typeof modelled>;

test('in any order of operations the cache keeps its limit and correct contents', async () => {
  const key = fc.constantFrom('v/a', 'v/b', 'v/c', 'w/d', 'w/e');
  const step = fc.oneof(
    key.map((one) => (model: Modelled) => model.open(one)),
    fc.nat(20).map((place) => (model: Modelled) => model.release(place)),
    fc.constantFrom('v/', 'w/d').map((prefix) => (model: Modelled) => model.recent.forget(prefix)),
    fc
      .tuple(key, fc.integer({ min: 1, max: 6 * KIB }))
      .map((made) => (model: Modelled) => model.replace(...made)),
    fc.constantFrom(1, 60_001).map((ms) => (model: Modelled) => model.wait(ms)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const model = modelled(16 * KIB);
      for (const run of steps) {
        await run(model);
        model.check();
      }
      model.end();
    }),
    { numRuns: 200 },
  );
});
