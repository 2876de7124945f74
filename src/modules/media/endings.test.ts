// The end of processing: events for subscribers, abandoned videos, and removed objects.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import {
  ended,
  hinderedFfmpeg,
  makeClip,
  needsFfmpeg,
  newFolder,
  SMALL,
  until,
  uploadVideo,
  workFolder,
} from '../../../test/support/videos.ts';
import { s3Storage } from '../../external/storage/s3.ts';
import { idMaker } from '../../kernel/ids.ts';
import { on } from '../../kernel/messaging/events.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { sandboxStorage } from '../../sandbox/index.ts';
import { videoCompleted, videoFailed } from './contract.ts';

const folder = newFolder();
const newId = idMaker(systemClock);

const published: { name: string; data: { subjectId: string; code?: string; duration?: number } }[] = [];
const listener = {
  name: 'listener',
  service: undefined,
  subscriptions: [
    on(videoCompleted, 'listener', async (event) => void published.push(event)),
    on(videoFailed, 'listener', async (event) => void published.push(event)),
  ],
};
// As for want of memory.
const program = hinderedFfmpeg('kill -9 $$');
program.hinder();
const { platform, database, clock, sandboxUrl } = await startPlatform(
  {
    ...{
      VIDEO_WORK_DIR: workFolder(),
      TRANSCODE_PRESET: 'ultrafast',
      VIDEO_DELIVERY: 'redirect',
    },
    FFMPEG_PATH: program.path,
  },
  [listener],
);
const { media } = platform;
const storage = s3Storage({ ...sandboxStorage({ url: sandboxUrl }), clock });
const toldOf = (subjectId: string) =>
  until('the event', async () => published.find(({ data }) => data.subjectId === subjectId));
const clip = makeClipOnce();
function makeClipOnce(): string | undefined {
  return process.env.TEST_FFMPEG && makeClip(join(folder, 'clip.mp4'), SMALL);
}

test('a video whose transcoding keeps being killed fails after three attempts', needsFfmpeg, async () => {
  const subjectId = newId();
  await uploadVideo(media, subjectId, String(clip));
  assert.equal((await ended(media, subjectId)).error?.code, 'PROCESSING_FAILED');
  const spent = await database.count('select spent from media.video where subject_id = $1', [subjectId]);
  assert.equal(spent, 3);
  const { name, data } = await toldOf(subjectId);
  assert.deepEqual([name, data.code], ['media.video-failed', 'PROCESSING_FAILED']);
});

test(
  'a complete video is published, and its segments are redirected to the storage',
  needsFfmpeg,
  async () => {
    program.recover();
    const subjectId = newId();
    await uploadVideo(media, subjectId, String(clip));
    const { videoUrl, thumbnailUrl } = await ended(media, subjectId);
    const { name, data } = await toldOf(subjectId);
    assert.deepEqual([name, data.duration], ['media.video-completed', 2]);
    const playlist = String(videoUrl).replace('master.m3u8', '180p/index.m3u8');
    const response = await fetch(playlist, { redirect: 'manual' });
    assert.equal(response.status, 200);
    const [segment = ''] = /^\.\..*m4s$/m.exec(await response.text()) ?? [];
    for (const address of [new URL(segment, playlist).href, String(thumbnailUrl)]) {
      const redirected = await fetch(address, { redirect: 'manual' });
      assert.equal(redirected.status, 302);
      assert.ok(redirected.headers.get('location')?.startsWith(`${sandboxUrl}/storage/platform/videos/`));
      assert.equal((await fetch(address)).status, 200);
    }
  },
);

test('an upload that replaces a video in processing cancels it silently', needsFfmpeg, async () => {
  const subjectId = newId();
  const first = await uploadVideo(media, subjectId, String(clip));
  await uploadVideo(media, subjectId, String(clip));
  assert.equal((await ended(media, subjectId)).status, 'complete');
  const codes = await database.all<{ errorCode: string | null }>(
    'select error_code from media.video where subject_id = $1 order by number',
    [subjectId],
  );
  assert.ok(['REPLACED', null].includes(codes[0]?.errorCode ?? null));
  assert.equal(codes[1]?.errorCode, null);
  await toldOf(subjectId);
  assert.ok(published.every(({ data }) => data.subjectId !== subjectId || data.code === undefined));
  await assert.doesNotReject(media.completeVideoUpload(subjectId, first));
});

test('orphaned objects are removed, and those of playable videos are kept', needsFfmpeg, async () => {
  const subjectId = newId();
  await uploadVideo(media, subjectId, String(clip));
  const { thumbnailUrl } = await ended(media, subjectId);
  const orphans = [`videos/${newId()}/1/whole/x.m4s`, `uploads/${newId()}.mp4`];
  for (const key of orphans) await storage.write(key, Buffer.from('x'), { contentType: 'video/mp4' });
  clock.advance(3 * 3600 * 1000);
  await platform.runJob('media.sweep-orphans');
  assert.ok(await storage.head(String(orphans[0])), 'it is young');
  clock.advance(23 * 3600 * 1000);
  await platform.runJob('media.sweep-orphans');
  clock.advance(-26 * 3600 * 1000);
  for (const key of orphans) assert.equal(await storage.head(key), undefined, key);
  assert.equal((await fetch(String(thumbnailUrl))).status, 200);
  storage.close();
});
