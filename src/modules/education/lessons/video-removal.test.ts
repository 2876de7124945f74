// A video that was put on the wrong lesson, and is removed again.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  completeLessonUpload,
  deleteLessonVideo,
  enrollInCourse,
  getCourse,
  getLesson,
  getLessonVideo,
  putLessonCaptions,
  requestLessonUpload,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { holding } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { s3Storage } from '../../../external/storage/s3.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';
import { sandboxStorage } from '../../../sandbox/index.ts';
import { notEducator } from '../../identity/contract.ts';
import { uploadNotFound, videoNotFound } from '../../media/contract.ts';

const platform = await startPlatform();
const { clock, database } = platform;
const newId = idMaker(clock);
const storage = s3Storage({ ...sandboxStorage({ url: platform.sandboxUrl }), clock });
after(() => storage.close());
const SECONDS = 90;

/** A lesson with a video that plays. */
async function withVideo() {
  const made = await newCourse(platform);
  const params = { lessonId: made.lessons[0].id };
  const client = made.owner.client;
  await client.call(putLessonCaptions, {
    params: { ...params, language: 'en' },
    body: { text: 'WEBVTT\n' },
  });
  await database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, created_at,
       duration_ms, renditions, poster, completed_at)
     values ($1, $2, $3, 'uploads/x.mp4', '"x"', 1, 'complete', now(), $4, '{360p}', '1/poster.jpg', now())`,
    [newId(), params.lessonId, made.owner.id, SECONDS * 1000],
  );
  await database.execute('update education.lesson set has_video = true, duration = $2 where id = $1', [
    params.lessonId,
    SECONDS,
  ]);
  return { ...made, params, client };
}

test('a video that is removed no longer plays, and leaves captions and duration to the educator', async () => {
  const { course, params, client } = await withVideo();
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  assert.ok((await student.client.call(getLesson, { params })).data.videoUrl);

  const { data: left } = await client.call(deleteLessonVideo, { params });
  assert.deepEqual([left.status, left.videoUrl, left.duration], [null, null, null]);
  const { data } = await student.client.call(getLesson, { params });
  assert.deepEqual(
    [data.videoUrl, data.videoUnavailable, data.captions, data.duration],
    [null, 'none', ['en'], SECONDS],
  );
  assertRefused(await client.attempt(deleteLessonVideo, { params }), videoNotFound);
  await client.call(updateLesson, { params, body: { duration: 30 } });
  assert.equal((await client.call(getCourse, { params: { courseId: course.id } })).data.duration, 30);
});

test('a video is removed while it is processed, with its files, and another upload can follow', async () => {
  const { owner, lessons } = await newCourse(platform);
  const { client } = owner;
  const params = { lessonId: lessons[0].id };
  const send = async () => {
    const body = { fileName: 'clip.mp4', fileSize: 4, contentType: 'video/mp4' } as const;
    const { uploadUrl, fileKey, instructions } = (await client.call(requestLessonUpload, { params, body }))
      .data;
    await fetch(uploadUrl, { ...instructions, body: 'clip' });
    return { params, body: { fileKey } };
  };
  const isStored = async ({ body }: typeof first) => (await storage.head(body.fileKey)) !== undefined;
  const [first, second] = [await send(), await send()];
  await client.call(completeLessonUpload, first);

  await client.call(deleteLessonVideo, { params });
  assertRefused(await client.attempt(completeLessonUpload, first), uploadNotFound, 'it has been removed');
  clock.advance(11 * MINUTE_MS);
  await platform.platform.runJob('media.sweep');
  assert.deepEqual([await isStored(first), await isStored(second)], [false, true]);

  await client.call(completeLessonUpload, second);
  assert.ok((await client.call(getLessonVideo, { params })).data.status);
});

test('only who manages the course removes a video', async () => {
  const { course, params } = await withVideo();
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  assertRefused(await student.client.attempt(deleteLessonVideo, { params }), notEducator);
  const other = await newEducator(platform);
  assertRefused(await other.client.attempt(deleteLessonVideo, { params }), insufficientPermissions);
  assert.equal((await platform.admin.attempt(deleteLessonVideo, { params })).status, 200);
});

test('the removal of a video locks the course before the video, as the deletion of its lesson does', async () => {
  const { course, params, client } = await withVideo();
  const isWaiting = async () =>
    (await database.count(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`)) > 0;
  const { removing } = await holding(database, async (tx) => {
    await tx.execute('select from education.course where id = $1 for no key update', [course.id]);
    const begun = { removing: client.attempt(deleteLessonVideo, { params }) };
    await until(isWaiting, 'the removal to wait for the course');
    await tx.execute('select from media.video where subject_id = $1 for update nowait', [params.lessonId]);
    return begun;
  });
  assert.equal((await removing).status, 200);
});
