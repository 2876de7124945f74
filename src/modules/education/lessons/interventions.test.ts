import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelLessonVideo,
  createCourseModule,
  createLesson,
  deleteCourseModule,
  deleteLesson,
  deleteLessonCaptions,
  deleteQuiz,
  listAudit,
  listNotifications,
  putLessonCaptions,
  putQuiz,
  updateCourseModule,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import type { Client } from '../../../../test/support/client.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { until } from '../../../../test/support/videos.ts';
import { videoNotProcessing } from '../../media/contract.ts';

// What administrators change within the courses of others is in the audit log, and the owner learns why.

const platform = await startPlatform();
const { admin } = platform;
const reason = 'It named a competitor';
const quiz = { passingScore: 50, questions: [{ text: 'Up?', options: ['Yes', 'No'], correct: [0] }] };

const entriesAbout = async (target: string) => {
  const { data } = await admin.call(listAudit, { query: { target } });
  return data.map(({ action, reason, changes, details }) => ({ action, reason, changes, details })).reverse();
};

/** Changes everything within a course; returns the ids of the module and the lesson that are added and deleted. */
async function changeAll(client: Client, courseId: string, lessonId: string) {
  const lesson = { lessonId };
  const captions = { ...lesson, language: 'en' };
  const title = 'Second module';
  const module = await client.call(createCourseModule, {
    params: { courseId },
    body: { title, reason },
  });
  const inModule = { courseId, moduleId: module.data.id };
  await client.call(updateCourseModule, { params: inModule, body: { title: 'Renamed', reason } });
  const added = await client.call(createLesson, {
    body: { moduleId: module.data.id, title: 'Added', reason },
  });
  await client.call(updateLesson, { params: lesson, body: { title: 'Changed', reason } });
  await client.call(putQuiz, { params: lesson, body: { ...quiz, reason } });
  await client.call(deleteQuiz, { params: lesson, body: { reason } });
  await client.call(putLessonCaptions, { params: captions, body: { text: 'WEBVTT\n', reason } });
  await client.call(deleteLessonCaptions, { params: captions, body: { reason } });
  const cancelling = await client.attempt(cancelLessonVideo, { params: lesson, body: { reason } });
  assertRefused(cancelling, videoNotProcessing);
  await client.call(deleteLesson, { params: { lessonId: added.data.id }, body: { reason } });
  await client.call(deleteCourseModule, { params: inModule, body: { reason } });
  return { moduleId: module.data.id, addedId: added.data.id };
}

test('what an administrator changes within the course of somebody else is recorded, and its owner is told why', async () => {
  const { owner, course, lessons } = await newCourse(platform);
  const [{ id: lessonId, title }] = lessons;
  const { moduleId, addedId } = await changeAll(admin, course.id, lessonId);
  const authorId = owner.id;
  const within = { details: { authorId, courseId: course.id }, reason };
  assert.deepEqual(await entriesAbout(course.id), [
    {
      action: 'course.module-added',
      reason,
      changes: {},
      details: { moduleId, title: 'Second module', authorId },
    },
    {
      action: 'course.module-changed',
      reason,
      changes: { title: ['Second module', 'Renamed'] },
      details: { moduleId, authorId },
    },
    {
      action: 'course.module-removed',
      reason,
      changes: {},
      details: { moduleId, title: 'Renamed', lessonIds: [], authorId },
    },
  ]);
  assert.deepEqual(await entriesAbout(addedId), [
    { action: 'lesson.added', changes: {}, ...within },
    { action: 'lesson.removed', changes: {}, ...within },
  ]);
  assert.deepEqual(
    (await entriesAbout(lessonId)).map(({ action, details, changes }) => ({ action, details, changes })),
    [
      { action: 'lesson.changed', details: within.details, changes: { title: [title, 'Changed'] } },
      { action: 'lesson.quiz-changed', details: { authorId }, changes: {} },
      { action: 'lesson.quiz-removed', details: { authorId }, changes: {} },
      { action: 'lesson.captions-changed', details: { language: 'en', authorId }, changes: {} },
      { action: 'lesson.captions-removed', details: { language: 'en', authorId }, changes: {} },
    ],
  );
  await until('a notification of each change', async () => {
    const { data } = await owner.client.call(listNotifications, { query: { type: 'moderation' } });
    return data.length === 10 && data.every(({ message }) => message === reason);
  });
});

test('what owners change within their own course is not recorded, whatever reason they give', async () => {
  const { owner, course, lessons } = await newCourse(platform);
  const { addedId } = await changeAll(owner.client, course.id, lessons[0].id);
  for (const id of [course.id, lessons[0].id, addedId]) assert.deepEqual(await entriesAbout(id), []);
});

test('a change that changes nothing is neither recorded nor told', async () => {
  const { owner, course, module, lessons } = await newCourse(platform);
  const [{ id: lessonId, title }] = lessons;
  const ofModule = { courseId: course.id, moduleId: module.id };
  await admin.call(updateCourseModule, { params: ofModule, body: { title: module.title, reason } });
  await admin.call(updateLesson, { params: { lessonId }, body: { title, reason } });
  await admin.call(updateLesson, { params: { lessonId }, body: { title: 'Changed', reason } });
  await until('the notification of the last one', async () => {
    const { data } = await owner.client.call(listNotifications, { query: { type: 'moderation' } });
    return data.length > 0 && data;
  });
  assert.deepEqual(await entriesAbout(course.id), []);
  assert.equal((await entriesAbout(lessonId)).length, 1);
  const { data } = await owner.client.call(listNotifications, { query: { type: 'moderation' } });
  assert.equal(data.length, 1);
});
