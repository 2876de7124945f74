// Videos and their viewers while the storage or the database is unavailable, and under floods.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { getError } from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { addressesIn, read, readText as text } from '../../../test/support/playback.ts';
import {
  ended,
  makeClip,
  needsFfmpeg,
  newFolder,
  processed,
  SMALL,
  until,
  uploadVideo,
  workFolder,
} from '../../../test/support/videos.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';

const { platform, database, client, clock, standIn } = await startPlatform({
  VIDEO_WORK_DIR: workFolder(),
  TRANSCODE_PRESET: 'ultrafast',
});
const { media } = platform;
const newId = idMaker(systemClock);
const upload = (contentType: string, fileSize: number) => ({ fileName: 'x', fileSize, contentType });
const [subjectId, viewerId] = [newId(), newId()];
const file = process.env.TEST_FFMPEG ? makeClip(join(newFolder(), 'clip.mp4'), SMALL) : '';
const shared = file && (await processed(media, file, { subjectId, viewerId }));
const { videoUrl, thumbnailUrl } = shared || { videoUrl: '', thumbnailUrl: '' };

test(
  'an outage of the storage delays a video, whether it refuses or hangs, and spends no attempt',
  needsFfmpeg,
  async () => {
    const delayed = newId();
    await uploadVideo(media, delayed, file);
    await standIn('storage', { mode: 'fail' });
    const video = () =>
      database.first<{ attempt: number; spent: number; status: string }>(
        'select attempt, spent, status from media.video where subject_id = $1',
        [delayed],
      );
    try {
      await until('an attempt that failed', async () => {
        const row = await video();
        return row !== undefined && row.attempt > 0 && row.spent === 0;
      });
      const attempt = (await video())?.attempt ?? 0;
      await standIn('storage', { mode: 'hang' });
      await until('another attempt', async () => ((await video())?.attempt ?? 0) > attempt);
      assert.equal((await video())?.status, 'processing');
    } finally {
      await standIn('storage', { mode: 'ok' });
    }
    assert.equal((await ended(media, delayed)).status, 'complete');
    assert.equal((await video())?.spent, 1);
  },
);

test(
  'while the storage refuses or hangs readers and uploads are 503, and nothing hangs',
  needsFfmpeg,
  async () => {
    const [seen = '', track = ''] = addressesIn(await text(videoUrl), videoUrl);
    assert.equal((await read(seen)).status, 200);
    const awaited = newId();
    const ticket = await media.requestVideoUpload(awaited, awaited, upload('video/mp4', 10));
    for (const mode of ['fail', 'hang']) {
      await standIn('storage', { mode });
      try {
        const reads = [track, String(thumbnailUrl)].map((address) => read(address));
        const heads = [track].map((address) => fetch(address, { method: 'HEAD' }));
        const conditional = read(track, { 'if-none-match': '"x"' });
        const [completed] = await Promise.allSettled([media.completeVideoUpload(awaited, ticket.fileKey)]);
        assert.equal((completed as PromiseRejectedResult).reason?.status, 503);
        for (const answer of await Promise.all([...reads, ...heads, conditional])) {
          assert.equal(answer.status, 503, mode);
          assert.equal(answer.headers.get('retry-after'), '2');
        }
        // Objects that were requested recently are in memory.
        for (const address of [videoUrl, seen]) assert.equal((await read(address)).status, 200, mode);
        // Links for uploads are signed without a request to the storage.
        assert.ok(await media.requestVideoUpload(newId(), newId(), upload('video/mp4', 10)));
      } finally {
        await standIn('storage', { mode: 'ok' });
      }
    }
    await standIn('storage', { mode: 'slow' });
    try {
      assert.equal((await read(track)).status, 200);
    } finally {
      await standIn('storage', { mode: 'ok' });
    }
  },
);

test('error reports contain no playable link', needsFfmpeg, async () => {
  const [, token = ''] = /\/v\/([^/]+)\//.exec(videoUrl) ?? [];
  const path = new URL(videoUrl).pathname;
  await database.execute('alter table media.caption rename to caption_away', []);
  try {
    const encoded = path.replaceAll('.', '%2E').replace('plbk', '%70lbk');
    const failed = await client.raw('GET', path);
    assert.equal(failed.status, 500);
    const answers = [
      failed,
      await client.raw('GET', encoded),
      await client.raw('POST', path),
      await client.raw('POST', encoded),
      await client.raw('GET', `/v1/nothing?next=${encodeURIComponent(path)}`),
      await client.with({ referer: videoUrl }).raw('POST', '/v1/lessons', { videoUrl, [path]: path }),
    ];
    for (const { status, body } of answers) {
      assert.ok(status >= 400, String(status));
      const { data } = await until('the report', async () => {
        const answer = await client.call(getError, { params: { errorId: body.errorId as string } });
        return answer.status === 200 && answer;
      });
      const report = decodeURIComponent(JSON.stringify(data).replaceAll('%', '%25')).replaceAll('%2E', '.');
      assert.ok(!report.includes(token.slice(-43)), report);
    }
  } finally {
    await database.execute('alter table media.caption_away rename to caption', []);
  }
});

test('a viewer who fetches a video without end is limited, and others are not', needsFfmpeg, async () => {
  const missing = videoUrl.replace('master.m3u8', 'nothing.txt');
  const statuses: number[] = [];
  // One after another, since the clock must go back before each, so that nothing is refilled, however long it takes.
  for (let count = 0; count < 650; count++) {
    const response = await fetch(missing);
    await response.arrayBuffer();
    clock.advance(-2000);
    statuses.push(response.status);
  }
  assert.ok(statuses.includes(429), [...new Set(statuses)].join());
  const refused = await read(videoUrl);
  const other = await media.videoStatus(subjectId, newId());
  assert.equal((await read(String(other.videoUrl))).status, 200);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  clock.advance(650 * 2000 + 60_000);
  assert.equal((await read(videoUrl)).status, 200);
  clock.advance(-60_000);
});
