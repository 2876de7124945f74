// Deletions of lessons and courses: beside everything else that happens to them, and of large ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attemptQuiz,
  completeLessonUpload,
  createCourse,
  createCourseModule,
  createLesson,
  deleteCourse,
  deleteCourseModule,
  deleteLesson,
  enrollInCourse,
  getCourse,
  getLesson,
  listCourseModules,
  listCourses,
  listLessons,
  putLessonCaptions,
  putQuiz,
  requestLessonUpload,
  updateLesson,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import type { Answer } from '../../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotFound } from '../contract.ts';
import { moduleNotFound, tooManyLessonsInCourse } from '../failures.ts';

const platform = await startPlatform();
const { database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const QUIZ = {
  passingScore: 50,
  questions: [{ text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] }],
};

/** Adds modules of 200 draft lessons with captions to a course, as rows. */
async function fill(courseId: string, modules: number): Promise<void> {
  const id = (prefix: string, n: string) => `'${prefix}' || lpad(to_hex(${n}), 6, '0') || right($1, 16)`;
  await database.execute(
    `insert into education.module (id, course_id, title, position)
     select ${id('a0', 'm')}, $1::text, 'Module', m + 1 from generate_series(1, $2::int) m`,
    [courseId, modules],
  );
  await database.execute(
    `insert into education.lesson (id, module_id, course_id, title, position, preview, status, created_at, updated_at)
     select ${id('b0', 'm * 200 + n')}, ${id('a0', 'm')}, $1::text, 'Lesson', n, false, 'draft', now(), now()
     from generate_series(1, $2::int) m, generate_series(1, 200) n`,
    [courseId, modules],
  );
  await database.execute(
    `insert into media.caption (subject_id, language, text)
     select id, 'en', 'WEBVTT' from education.lesson where course_id = $1`,
    [courseId],
  );
}

const lessonsOf = (courseId: string) =>
  database.count('select count(*) from education.lesson where course_id = $1', [courseId]);

/** Reads a number again and again until the signal, and returns the greatest one. */
async function greatest(read: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) most = Math.max(most, await read());
  return most;
}

test('a course of 10,000 lessons is deleted at once and its rows in portions', async () => {
  const owner = await newEducator(platform);
  const { data: course } = await owner.client.call(createCourse, { body: { title: 'Everything' } });
  await fill(course.id, 50);
  const kept = await newCourse(platform, { owner });
  const params = { courseId: course.id };
  const [module] = (await owner.client.call(listCourseModules, { params })).data;
  const moduleId = module?.id as string;
  const [lesson] = (await owner.client.call(listLessons, { query: { moduleId } })).data;
  const stop = new AbortController();
  const mostLocks = greatest(
    () => database.count(`select count(*) from pg_locks where locktype = 'advisory'`),
    stop.signal,
  );
  const deleted = await owner.client.call(deleteCourse, { params });
  assert.deepEqual([deleted.status, deleted.data], [200, { id: course.id, status: 'deleted' }]);
  const { client } = owner;
  for (const { status } of [
    await client.attempt(getCourse, { params }),
    await client.attempt(listCourseModules, { params }),
    await client.attempt(listLessons, { query: { moduleId } }),
    await client.attempt(getLesson, { params: { lessonId: lesson?.id as string } }),
  ])
    assert.equal(status, 404);
  assertRefused(await client.attempt(deleteCourse, { params }), courseNotFound);
  assertRefused(
    await client.attempt(createLesson, { body: { moduleId, title: 'One more' } }),
    moduleNotFound,
  );
  assert.deepEqual((await owner.client.call(listCourses, { query: { status: 'draft' } })).data, []);
  const left = `select (select count(*) from education.course where id = $1)
    + (select count(*) from media.caption where subject_id like 'b0%')`;
  await until(async () => (await database.count(left, [course.id])) === 0, 'the end of the deletion');
  assert.equal(await lessonsOf(course.id), 0);
  assert.equal(await lessonsOf(kept.course.id), 1);
  stop.abort();
  assert.ok((await mostLocks) < 100, 'the lock table of the database is not filled');
});

test('the repair job finishes a deletion whose job was lost', async () => {
  const owner = await newEducator(platform);
  const { data: course } = await owner.client.call(createCourse, { body: { title: 'Something' } });
  await fill(course.id, 2);
  await database.execute('update education.course set deleted_at = now() where id = $1', [course.id]);
  await platform.platform.runJob('education.repair');
  const courses = await database.count('select count(*) from education.course where id = $1', [course.id]);
  assert.deepEqual([courses, await lessonsOf(course.id)], [0, 0]);
});

test('a course has at most 1,000 lessons', async () => {
  const owner = await newEducator(platform);
  const { course, module } = await newCourse(platform, { owner });
  await fill(course.id, 5);
  await database.execute(
    `delete from education.lesson where id in
       (select id from education.lesson where course_id = $1 and status = 'draft' limit 2)`,
    [course.id],
  );
  const add = () => owner.client.attempt(createLesson, { body: { moduleId: module.id, title: 'Lesson' } });
  assert.equal((await add()).status, 201);
  const refused = await add();
  assertRefused(refused, tooManyLessonsInCourse);
});

/** Uploads a file that is not a video, and returns its key. */
async function sendFile({ client }: Member, lessonId: string): Promise<string> {
  const file = { fileName: 'a.mp4', fileSize: 4, contentType: 'video/mp4' as const };
  const { uploadUrl, fileKey, instructions } = (
    await client.call(requestLessonUpload, { params: { lessonId }, body: file })
  ).data;
  await fetch(uploadUrl, { ...instructions, body: 'none' });
  return fileKey;
}

test('deleting a lesson during concurrent writes causes no server error and leaves nothing behind', async () => {
  const owner = await newEducator(platform);
  const { course, module } = await newCourse(platform, { owner });
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  const answers: Answer[] = [];
  const ids: string[] = [];
  for (let round = 1; round <= 20; round++) {
    const draft = { moduleId: module.id, title: 'Short-lived', status: 'published' as const };
    const { id } = (await owner.client.call(createLesson, { body: draft })).data;
    ids.push(id);
    await owner.client.call(putQuiz, { params: { lessonId: id }, body: QUIZ });
    const fileKey = await sendFile(owner, id);
    const { client } = student;
    const file = { fileName: 'b.mp4', fileSize: 4, contentType: 'video/mp4' as const };
    const calls: (() => Promise<Answer>)[] = [
      () =>
        client.attempt(updateLessonProgress, {
          params: { lessonId: id },
          body: { positionSeconds: round, completed: true },
        }),
      () => client.attempt(attemptQuiz, { params: { lessonId: id }, body: { answers: [[0]] } }),
      () => owner.client.attempt(putQuiz, { params: { lessonId: id }, body: QUIZ }),
      () =>
        owner.client.attempt(putLessonCaptions, {
          params: { lessonId: id, language: 'en' },
          body: { text: 'WEBVTT' },
        }),
      () => owner.client.attempt(completeLessonUpload, { params: { lessonId: id }, body: { fileKey } }),
      () => owner.client.attempt(requestLessonUpload, { params: { lessonId: id }, body: file }),
      () => owner.client.attempt(updateLesson, { params: { lessonId: id }, body: { title: 'Renamed' } }),
    ];
    const start = (call: () => Promise<Answer>) => untilAvailable(call);
    const started = calls.slice(0, round % calls.length).map(start);
    const deleting = untilAvailable(() => owner.client.attempt(deleteLesson, { params: { lessonId: id } }));
    answers.push(...(await Promise.all([...started, deleting, ...calls.map(start)])));
    assert.equal((await deleting).status, 200);
  }
  assert.deepEqual(
    answers
      .filter(({ status }) => ![200, 201, 404].includes(status))
      .map(({ status, body }) => [status, body]),
    [],
  );
  const tables = {
    ...{ 'media.caption': 'subject_id', 'media.video': 'subject_id', 'media.upload': 'subject_id' },
    ...{ 'education.lesson_progress': 'lesson_id', 'education.quiz': 'lesson_id' },
  };
  for (const [table, column] of Object.entries(tables)) {
    const left = await database.count(`select count(*) from ${table} where ${column} = any($1)`, [ids]);
    assert.equal(left, 0, table);
  }
});

test('the second of two deletions of a lesson or module is 404', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 2 });
  const { client } = owner;
  const params = { courseId: course.id };
  const { data: module } = await client.call(createCourseModule, { params, body: { title: 'Another' } });
  for (const remove of [
    () => client.attempt(deleteLesson, { params: { lessonId: lessons[1]?.id as string } }),
    () => client.attempt(deleteCourseModule, { params: { ...params, moduleId: module.id } }),
  ]) {
    const answers = await Promise.all([remove(), remove()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  }
});
