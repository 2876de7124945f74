// The database becomes unavailable between two queries of one request: the response is 503 rather than "not found".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrollInCourse,
  getCourse,
  getLesson,
  getLessonVideo,
  getQuiz,
  listLessons,
  requestLessonUpload,
  updateLesson,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { holding } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform();
const { database } = platform;
const { owner, course, module, lessons } = await newCourse(platform);
const [lesson] = lessons;

/** Ends the connections of requests that wait for the table which a transaction of the test holds. */
const endWaiting = () =>
  database.count(
    `select count(pg_terminate_backend(pid)) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  );

test('a database outage while a lesson is loaded is a temporary 503', async () => {
  const { client } = owner;
  const reads = {
    lesson: () => client.attempt(getLesson, { params: { lessonId: lesson.id } }),
    lessons: () => client.attempt(listLessons, { query: { moduleId: module.id } }),
    change: () =>
      client.attempt(updateLesson, { params: { lessonId: lesson.id }, body: { title: 'Another' } }),
    video: () => client.attempt(getLessonVideo, { params: { lessonId: lesson.id } }),
    upload: () =>
      client.attempt(requestLessonUpload, {
        params: { lessonId: lesson.id },
        body: {
          fileName: 'x.mp4',
          fileSize: 1,
          contentType: 'video/mp4',
        },
      }),
    progress: () =>
      client.attempt(updateLessonProgress, { params: { lessonId: lesson.id }, body: { positionSeconds: 1 } }),
    quiz: () => client.attempt(getQuiz, { params: { lessonId: lesson.id } }),
    course: () => client.attempt(getCourse, { params: { courseId: course.id } }),
    enrolment: () => client.attempt(enrollInCourse, { params: { courseId: course.id } }),
  };
  for (const [name, read] of Object.entries(reads)) {
    await holding(database, async (tx) => {
      await tx.execute('lock table education.course in access exclusive mode', []);
      let isAnswered = false;
      const answer = read().finally(() => {
        isAnswered = true;
      });
      let ended = 0;
      await until(async () => {
        ended += await endWaiting();
        return isAnswered;
      }, `an answer to ${name}`);
      const { status, headers, body } = await answer;
      assert.equal(status, 503, `${name}: ${JSON.stringify(body)}`);
      assert.ok(headers.get('retry-after'), name);
      assert.ok(ended > 0, `${name} asked for the course`);
    });
  }
  assert.equal((await reads.lesson()).status, 200);
});
