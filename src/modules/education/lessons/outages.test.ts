// A database that goes away between two questions of one request: clients are told to come back, not that there is nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCourse } from '../../../../test/support/courses.ts';
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

test('an outage while the course of a lesson is looked up is 503, and passes', async () => {
  const { client } = owner;
  const reads = {
    lesson: () => client.get(`/v1/lessons/${lesson.id}`),
    lessons: () => client.get(`/v1/lessons?moduleId=${module.id}`),
    change: () => client.put(`/v1/lessons/${lesson.id}`, { title: 'Another' }),
    video: () => client.get(`/v1/lessons/${lesson.id}/video-status`),
    upload: () =>
      client.post(`/v1/lessons/${lesson.id}/request-upload-url`, {
        fileName: 'x.mp4',
        fileSize: 1,
        contentType: 'video/mp4',
      }),
    progress: () => client.put(`/v1/lessons/${lesson.id}/progress`, { positionSeconds: 1 }),
    quiz: () => client.get(`/v1/lessons/${lesson.id}/quiz`),
    course: () => client.get(`/v1/courses/${course.id}`),
    enrolment: () => client.post(`/v1/courses/${course.id}/enroll`),
  };
  for (const [name, read] of Object.entries(reads)) {
    await database.transaction(async (tx) => {
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
