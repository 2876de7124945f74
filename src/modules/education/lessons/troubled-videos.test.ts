// What operators see of videos that could not be prepared, and another attempt at one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  getLessonVideo,
  getOverview,
  listAudit,
  listTroubledVideos,
  retryLessonVideo,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import {
  ended,
  hinderedFfmpeg,
  makeClip,
  needsFfmpeg,
  newFolder,
  SMALL,
  uploadVideo,
  workFolder,
} from '../../../../test/support/videos.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { videoNotFailed, videoNotRetryable } from '../../media/contract.ts';

// As for want of memory.
const program = hinderedFfmpeg('kill -9 $$');
const started = await startPlatform({
  VIDEO_WORK_DIR: workFolder(),
  TRANSCODE_PRESET: 'ultrafast',
  FFMPEG_PATH: program.path,
});
const { admin, clock, database } = started;
const { media } = started.platform;
const newId = idMaker(clock);
const clip = process.env.TEST_FFMPEG && makeClip(join(newFolder(), 'clip.mp4'), SMALL);

interface Row {
  status?: 'failed' | 'processing';
  code?: string;
  age?: string;
  /** When the uploaded file is removed. */
  sourceUntil?: Date;
}

/** Adds a video that no worker processes. */
async function addVideo(lessonId: string, { status = 'failed', code = 'PROCESSING_FAILED', ...row }: Row) {
  const id = newId();
  const key = `uploads/${id}.mp4`;
  await database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, error_code,
       error_message, created_at)
     values ($1, $2, $2, $3, '"x"', 1, $4, $5, 'It went wrong', now() - $6::interval)`,
    [id, lessonId, key, status, status === 'failed' ? code : null, row.age ?? '0'],
  );
  const removal = 'insert into media.cleanup (prefix, due_at) values ($1, $2)';
  if (row.sourceUntil) await database.execute(removal, [key, row.sourceUntil]);
  return id;
}
const list = async (query: { status?: 'failed' | 'processing'; limit?: number; before?: string } = {}) =>
  admin.call(listTroubledVideos, { query });
const waiting = async () =>
  (await admin.call(getOverview)).data.worklists.find(({ name }) => name === 'videos')?.count;
const later = (days: number): Date => new Date(clock.now() + days * DAY_MS);

test('the list has what the worklist counts: failed and stuck videos with lesson, course, educator and error', async () => {
  const made = await newCourse(started, { lessons: 3 });
  const [failing, stuck, settled] = made.lessons.map(({ id }) => id) as [string, string, string];
  await addVideo(failing, { code: 'DAMAGED' });
  const sourceUntil = later(2);
  const newest = await addVideo(failing, { sourceUntil });
  await addVideo(settled, {});
  await addVideo(settled, { status: 'processing' });
  const slow = await addVideo(stuck, { status: 'processing', age: '2 hours' });
  const { data, body } = await list();
  assert.deepEqual(
    data.map(({ id }) => id),
    [slow, newest],
  );
  assert.deepEqual([body.pagination.total, await waiting()], [2, 2]);
  const [, shown] = data;
  assert.deepEqual(shown?.lesson, {
    id: failing,
    title: made.lessons[0]?.title,
    courseId: made.course.id,
    courseTitle: made.course.title,
  });
  assert.equal(shown?.educator.id, made.owner.id);
  assert.deepEqual(shown?.error, { code: 'PROCESSING_FAILED', message: 'It went wrong' });
  assert.equal(shown?.retryableUntil, sourceUntil.toISOString());
  assert.deepEqual([data[0]?.error, data[0]?.retryableUntil], [null, null]);
  const failed = await list({ status: 'failed' });
  assert.deepEqual([failed.data.map(({ id }) => id), failed.body.pagination.total], [[newest], 1]);
  const rest = await list({ limit: 1, before: slow });
  assert.deepEqual(
    rest.data.map(({ id }) => id),
    [newest],
  );
});

test('a video is tried again only if it failed for want of the machine and its file is still there', async () => {
  const { lessons } = await newCourse(started, { lessons: 1 });
  const params = { lessonId: lessons[0]?.id ?? '' };
  assertRefused(await admin.attempt(retryLessonVideo, { params }), videoNotFailed);
  await addVideo(params.lessonId, { code: 'DAMAGED', sourceUntil: later(1) });
  assertRefused(await admin.attempt(retryLessonVideo, { params }), videoNotRetryable);
  await addVideo(params.lessonId, {});
  assertRefused(await admin.attempt(retryLessonVideo, { params }), videoNotRetryable);
  await addVideo(params.lessonId, { sourceUntil: clock.date() });
  assertRefused(await admin.attempt(retryLessonVideo, { params }), videoNotRetryable);
});

test(
  'a video that failed while the machine was in trouble can be prepared again for a week',
  needsFfmpeg,
  async () => {
    const before = await waiting();
    const { lessons, owner } = await newCourse(started, { lessons: 1 });
    const lesson = lessons[0] as { id: string; title: string };
    const params = { lessonId: lesson.id };
    program.hinder();
    await uploadVideo(media, lesson.id, String(clip));
    assert.equal((await ended(media, lesson.id)).error?.code, 'PROCESSING_FAILED');
    program.recover();
    // Not the first: ids of one second have no order among processes.
    const all = (await list({ status: 'failed' })).data;
    const failed = all.find((one) => one.lesson?.id === lesson.id);
    const keptDays = (Date.parse(String(failed?.retryableUntil)) - clock.now()) / DAY_MS;
    assert.equal(Math.round(keptDays), 7);
    assert.equal(await waiting(), Number(before) + 1);
    assert.equal((await admin.call(retryLessonVideo, { params })).data.status, 'processing');
    assertRefused(await admin.attempt(retryLessonVideo, { params }), videoNotFailed);
    assert.equal((await ended(media, lesson.id)).status, 'complete');
    assert.equal((await owner.client.call(getLessonVideo, { params })).data.status, 'complete');
    assert.equal(await waiting(), before);
    const [entry] = (await admin.call(listAudit, { query: { target: lesson.id } })).data;
    assert.deepEqual([entry?.action, entry?.targetName], ['lesson.video-retried', lesson.title]);
  },
);
