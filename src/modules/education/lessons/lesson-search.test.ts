// Members find the lessons of courses that they study or manage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createLesson,
  deleteCourse,
  deleteCourseModule,
  deleteLesson,
  deleteUser,
  enrollInCourse,
  getLesson,
  leaveCourse,
  search as searchOperation,
  suggestSearches,
  updateCourse,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import type { Client } from '../../../../test/support/client.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;

const search = async (client: Client, q: string) =>
  (await client.call(searchOperation, { query: { q, type: 'lesson' } })).data;
const idsOf = async (client: Client, q: string): Promise<string[]> =>
  (await search(client, q)).results.map(({ id }) => id).toSorted();
/** Everything that somebody learns of a word: results, counts, corrections and completions. */
const learnedOf = async (client: Client, word: string): Promise<unknown[]> => {
  const queries = [word, word.slice(0, -1), `${word.slice(0, -1)}q`];
  const answers: unknown[] = [];
  for (const q of queries) answers.push((await client.call(searchOperation, { query: { q } })).data);
  answers.push((await client.call(suggestSearches, { query: { q: word.slice(0, 5) } })).data);
  return answers;
};

test('students and those who manage the course find its published lessons, others learn nothing of them', async () => {
  const [student, stranger] = [await newMember(), await newMember()];
  const before = await learnedOf(stranger.client, 'hypersthene');
  const { owner, course, module, lessons } = await newCourse(platform, { lesson: { title: 'Hypersthene' } });
  const { data: draft } = await owner.client.call(createLesson, {
    body: {
      moduleId: module.id,
      title: 'Hypersthene draft',
    },
  });
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  assert.deepEqual(await idsOf(student.client, 'hypersthene'), [lessons[0].id]);
  for (const client of [owner.client, admin])
    assert.deepEqual(await idsOf(client, 'hypersthene'), [lessons[0].id, draft.id].toSorted());
  assert.deepEqual(await learnedOf(stranger.client, 'hypersthene'), before);
  const [found] = (await search(student.client, 'hypersthene')).results;
  assert.equal(found?.url, `/lessons/${lessons[0].id}`);
  const { data: names } = await student.client.call(suggestSearches, { query: { q: 'hypers' } });
  assert.deepEqual(names, ['Hypersthene']);
});

test('a lesson that is unpublished, or whose course is, is found only by its managers, and a member who leaves finds no lessons', async () => {
  const [student, leaver] = [await newMember(), await newMember()];
  const { owner, course, lessons } = await newCourse(platform, {
    lesson: { title: 'Labradorite' },
    lessons: 2,
  });
  for (const { client } of [student, leaver])
    await client.call(enrollInCourse, { params: { courseId: course.id } });
  const [first, second] = lessons;
  assert.ok(second);
  assert.deepEqual(await idsOf(leaver.client, 'labradorite'), [first.id, second.id].toSorted());
  assert.ok((await leaver.client.attempt(leaveCourse, { params: { courseId: course.id } })).status < 300);
  assert.deepEqual(await idsOf(leaver.client, 'labradorite'), []);
  await owner.client.call(updateLesson, { params: { lessonId: first.id }, body: { status: 'draft' } });
  assert.deepEqual(await idsOf(student.client, 'labradorite'), [second.id]);
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'draft' } });
  assert.equal((await student.client.attempt(getLesson, { params: { lessonId: second.id } })).status, 404);
  assert.deepEqual(await idsOf(student.client, 'labradorite'), []);
  assert.equal((await idsOf(owner.client, 'labradorite')).length, 2);
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'published' } });
  await admin.call(deleteUser, { params: { userId: owner.id } });
  assert.equal((await student.client.call(getLesson, { params: { lessonId: second.id } })).status, 200);
  assert.deepEqual(await idsOf(student.client, 'labradorite'), [second.id]);
});

test('changed, deleted, and with its module or its course: a lesson is found as it is, or not at all', async () => {
  const { owner, course, module, lessons } = await newCourse(platform, {
    lesson: { title: 'Obsidian' },
    lessons: 3,
  });
  const [first, second, third] = lessons;
  assert.ok(second && third);
  await owner.client.call(updateLesson, { params: { lessonId: first.id }, body: { title: 'Malachite' } });
  assert.deepEqual(await idsOf(owner.client, 'malachite'), [first.id]);
  assert.deepEqual(await idsOf(owner.client, 'obsidian'), [second.id, third.id].toSorted());
  assert.equal((await owner.client.call(deleteLesson, { params: { lessonId: second.id } })).status, 200);
  assert.deepEqual(await idsOf(owner.client, 'obsidian'), [third.id]);
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'draft' } });
  assert.ok(
    (await owner.client.attempt(deleteCourseModule, { params: { courseId: course.id, moduleId: module.id } }))
      .status < 300,
  );
  assert.deepEqual(await idsOf(owner.client, 'obsidian'), []);
  const other = await newCourse(platform, { owner, lesson: { title: 'Serpentine' } });
  assert.equal((await idsOf(owner.client, 'serpentine')).length, 1);
  assert.equal(
    (await owner.client.call(deleteCourse, { params: { courseId: other.course.id } })).data.status,
    'deleted',
  );
  for (const client of [owner.client, admin]) assert.deepEqual(await idsOf(client, 'serpentine'), []);
});
