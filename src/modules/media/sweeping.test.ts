import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageFault } from '../../external/storage/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { sweepJobs } from './sweeping.ts';

/** Returns a sweep of these prefixes, whose storage keeps some of their objects, and what it has done. */
function sweepOf(prefixes: string[], keeps: (key: string) => boolean) {
  const waiting = new Set(prefixes);
  const removed: string[] = [];
  let hasSweptFolders = false;
  const parts = {
    clock: systemClock,
    database: { transaction: async () => undefined } as unknown as Database,
    storage: {
      async *list(prefix: string) {
        yield [{ key: `${prefix}file` }];
      },
      remove: async ([key = '']: string[]) => {
        if (keeps(key)) throw new StorageFault(`${key} was not removed`);
        removed.push(key);
      },
    },
    uploads: { expire: async () => [], forget: async () => undefined },
    publicUploads: { sweep: async () => undefined },
    videos: { silent: async () => [] },
    transcoder: {
      sweep: async () => {
        hasSweptFolders = true;
      },
    },
    cleanups: {
      schedule: async () => undefined,
      due: async (_now: Date, limit: number, apart: string[]) =>
        [...waiting].filter((one) => !apart.includes(one)).slice(0, limit),
      done: async (prefix: string) => waiting.delete(prefix),
    },
    onRemoved: async () => undefined,
  };
  const [sweep] = sweepJobs(parts as unknown as Parameters<typeof sweepJobs>[0]);
  const run = async () => sweep?.run?.({}, { signal: new AbortController().signal, attempt: 1 });
  return { run, removed, waiting, hasSweptFolders: () => hasSweptFolders };
}

test('a file that the storage keeps holds up the removal of no other, and fails the sweep in the end', async () => {
  const prefixes = Array.from({ length: 150 }, (_, place) => `videos/${place}/`);
  const { run, removed, waiting, hasSweptFolders } = sweepOf(prefixes, (key) => key === 'videos/0/file');
  await assert.rejects(run(), { message: 'videos/0/file was not removed' });
  assert.equal(removed.length, 149);
  assert.deepEqual([...waiting], ['videos/0/']);
  assert.ok(hasSweptFolders());
});

test('a sweep ends soon while the storage removes nothing', async () => {
  const prefixes = Array.from({ length: 1_000 }, (_, place) => `videos/${place}/`);
  const { run, removed, waiting } = sweepOf(prefixes, () => true);
  await assert.rejects(run(), StorageFault);
  assert.deepEqual([removed.length, waiting.size], [0, 1_000]);
});
