// The logs and actions of a worker that cannot continue, without ffmpeg or a storage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageFault } from '../../external/storage/port.ts';
import { Postponed } from '../../kernel/messaging/jobs.ts';
import { processingJob } from './processing.ts';
import type { Video } from './videos.model.ts';

type Deps = Parameters<typeof processingJob>[0];

const VIDEO = {
  id: 'a'.repeat(24),
  subjectId: 'b'.repeat(24),
  sourceKey: 'uploads/clip.mp4',
  sourceEtag: '"1"',
  sourceBytes: 1,
  attempt: 1,
  spent: 1,
};

/** Runs the job of a video with a storage that fails, or a disk that is full; returns how it ended. */
async function run(video: Partial<Video>, { error, hasRoom = true }: { error?: Error; hasRoom?: boolean }) {
  const lines: object[] = [];
  const failures: string[] = [];
  const note = (line: object, message: string) => lines.push({ ...line, message });
  const head = Buffer.from('\0\0\0\x18ftypmp42');
  const deps = {
    storage: {
      read: async () => {
        if (error) throw error;
        return { etag: VIDEO.sourceEtag, body: [head] };
      },
    },
    transcoder: { isAvailable: () => true, isVideo: () => true, hasRoomFor: async () => hasRoom },
    videos: { claim: async () => ({ ...VIDEO, ...video }), release: async () => 1, beat: async () => true },
    endings: { fail: async (_: unknown, code: string) => void failures.push(code) },
    log: { warn: note, error: note },
    concurrency: 1,
  } as unknown as Deps;
  const context = { signal: new AbortController().signal, attempt: 1 };
  const outcome = await Promise.resolve(processingJob(deps).run?.({ videoId: VIDEO.id }, context)).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return { outcome, lines, failures };
}

test('a storage outage is logged and retried at growing intervals', async () => {
  const error = new StorageFault('XMinioStorageFull: no space left');
  const seconds: unknown[] = [];
  for (const attempt of [1, 2, 3, 30]) {
    const { outcome, lines } = await run({ attempt }, { error });
    assert.ok(outcome instanceof Postponed);
    seconds.push(outcome.afterSeconds);
    const [{ videoId, reason, afterSeconds }] = lines as [Record<string, unknown>];
    assert.deepEqual(
      [videoId, reason, afterSeconds, lines.length],
      [VIDEO.id, error.message, outcome.afterSeconds, 1],
    );
  }
  assert.deepEqual(seconds, [10, 20, 40, 300]);
});

test('a full disk is logged', async () => {
  const { outcome, lines } = await run({}, { hasRoom: false });
  assert.ok(outcome instanceof Postponed);
  assert.match(JSON.stringify(lines), /not enough disk space/);
});

test('the fault of the last attempt is logged, and the owner sees only its code', async () => {
  const { lines, failures } = await run({ spent: 3 }, { error: new Error('ffmpeg ended with 1: Killed') });
  assert.match(JSON.stringify(lines), /ffmpeg ended with 1: Killed/);
  assert.deepEqual(failures, ['PROCESSING_FAILED']);
});
