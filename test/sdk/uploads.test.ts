// Waiting for a video while the platform restarts, and what a program learns meanwhile.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { finishedVideo, uploadVideo } from '../../sdk/src/index.ts';
import { PATIENCE_MS } from '../support/live.ts';
import { clientOf, failureOf, ok, type Reply, refused } from '../support/sdk-hosts.ts';

const FILE = new File(['a'], 'a.mp4', { type: 'video/mp4' });
const TICKET = {
  uploadUrl: 'http://storage.test/video',
  instructions: { method: 'PUT', headers: {} },
  fileKey: 'k',
};

const unreachable: Reply = () => Promise.reject(new TypeError('fetch failed'));
const processing: Reply = () => ok({ status: 'processing', progress: 50, error: null });
const complete: Reply = () => ok({ status: 'complete', progress: 100, error: null });
const page: Reply = () => new Response('<html>Bad Gateway</html>', { status: 502 });
const busy: Reply = () => refused(429, 'RATE_LIMIT_EXCEEDED');

/** What a restart and its aftermath look like to a client. */
const RESTART = [unreachable, unreachable, page, () => refused(503, 'SERVICE_UNAVAILABLE'), busy];

/** Time limit of a request; it is longer than every pause of a wait, so that timers tell which they are. */
const REQUEST_MS = 100_000;

/** Lets the time jump over the pauses of a wait, and returns them. */
function hurried(t: TestContext): number[] {
  const { setTimeout: inTime } = globalThis;
  const { now } = Date;
  t.after(() => {
    Object.assign(globalThis, { setTimeout: inTime });
    Date.now = now;
  });
  const pausesMs: number[] = [];
  let skippedMs = 0;
  Date.now = () => now() + skippedMs;
  const quick = (work: () => void, ms: number, ...given: []) => {
    if (ms >= REQUEST_MS || !new Error().stack?.includes('/uploads.ts')) return inTime(work, ms, ...given);
    pausesMs.push(ms);
    skippedMs += ms;
    return inTime(work);
  };
  Object.assign(globalThis, { setTimeout: quick });
  return pausesMs;
}

/** A client that repeats no request by itself, of a platform that answers these in turn, the last one for ever. */
function answered({ completing = [processing], status = [complete] }: Record<string, Reply[]>) {
  const next = (replies: Reply[]) =>
    replies.length > 1 ? (replies.shift() as Reply) : (replies[0] as Reply);
  return clientOf(
    {
      '/request-upload-url': () => ok(TICKET),
      '/video': () => new Response(),
      '/complete-upload': (one) => next(completing)(one),
      '/video-status': (one) => next(status)(one),
    },
    { retries: 0, timeoutMs: REQUEST_MS },
  );
}

test('a restart of the platform ends neither an upload nor the wait for its processing', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const pausesMs = hurried(t);
  const { api, sent } = answered({
    completing: [...RESTART, processing],
    status: [...RESTART, processing, ...RESTART, processing, complete],
  });
  assert.equal((await uploadVideo(api, 'lesson', FILE)).status, 'complete');
  assert.equal(sent.filter(({ url }) => url.endsWith('/video')).length, 1, 'the file is sent once');
  // The pauses grow with each failure in a row, and begin anew.
  const [first = 0, second = 0, , , fifth = 0, sixth = 0] = pausesMs;
  assert.ok(first <= second && second < fifth && fifth <= 30_000 && sixth <= 3_000, String(pausesMs));

  const other = answered({ status: [processing, ...RESTART, complete] });
  assert.equal((await finishedVideo(other.api, 'lesson')).status, 'complete');
});

test('a wait for a platform that stays away ends with TIMEOUT, and one that never began with OFFLINE', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const pausesMs = hurried(t);
  const { api, sent } = answered({ status: [processing, unreachable] });
  const timeoutMs = 300_000;
  const { kind, code, cause } = await failureOf(finishedVideo(api, 'lesson', { timeoutMs }));
  assert.deepEqual([kind, code, (cause as { code?: string }).code], ['timeout', 'TIMEOUT', 'OFFLINE']);
  assert.equal(sent.length, pausesMs.length + 1, 'the last request follows the last pause');
  const waitedMs = pausesMs.reduce((sum, ms) => sum + ms, 0);
  assert.ok(waitedMs > timeoutMs - 10_000 && waitedMs <= timeoutMs, `${waitedMs}`);
  const away = answered({ status: [unreachable] });
  assert.equal((await failureOf(finishedVideo(away.api, 'lesson'))).code, 'OFFLINE');
});

test('a refusal ends a wait at once, and so does its signal', { timeout: PATIENCE_MS }, async (t) => {
  hurried(t);
  const notFound: Reply = () => refused(404, 'NOT_FOUND');
  const gone = answered({ status: [processing, unreachable, notFound] });
  assert.equal((await failureOf(finishedVideo(gone.api, 'lesson'))).code, 'NOT_FOUND');
  const replaced = answered({ completing: [unreachable, () => refused(409, 'UPLOAD_REPLACED')] });
  assert.equal((await failureOf(uploadVideo(replaced.api, 'lesson', FILE))).code, 'UPLOAD_REPLACED');
  const controller = new AbortController();
  const aborting: Reply = (one) => {
    controller.abort(new Error('closed'));
    return unreachable(one);
  };
  const { api } = answered({ status: [processing, aborting] });
  await assert.rejects(finishedVideo(api, 'lesson', { signal: controller.signal }), { message: 'closed' });
});

test('the progress of an upload ends with 1, and a file that is no video has no HTTP status', {
  timeout: PATIENCE_MS,
}, async (t) => {
  hurried(t);
  const progress: string[] = [];
  const { api } = answered({ status: [processing, complete] });
  await uploadVideo(api, 'lesson', FILE, {
    onProgress: ({ phase, ratio }) => progress.push(`${phase} ${ratio}`),
  });
  assert.deepEqual(progress, ['sending 1', 'processing 0.5', 'processing 1']);
  const error = { code: 'NOT_A_VIDEO', message: 'no video' };
  const text = answered({ status: [() => ok({ status: 'failed', progress: null, error })] });
  const { kind, code, status } = await failureOf(uploadVideo(text.api, 'lesson', FILE));
  assert.deepEqual([kind, code, status], ['refused', 'NOT_A_VIDEO', 0]);
});
