// The fields of courses and lessons in lists, and the maximum size of a lesson and a module.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCourseModule,
  createLesson,
  deleteLessonCaptions,
  enrollInCourse,
  getCourse,
  getLesson,
  listCourses,
  listEnrolledCourses,
  listLessons,
  putLessonCaptions,
  putQuiz,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import type { Answer, Client } from '../../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { captionsTooLarge, lessonTooLarge, moduleTooLarge } from '../failures.ts';

const platform = await startPlatform();
const { database } = platform;

const KIB = 1024;
const resourcesOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, place) => ({
    url: `https://example.com/${place}/`.padEnd(length, 'x'),
    type: 'pdf' as const,
  }));
const listOf = async (client: Client, moduleId: string) =>
  (await client.call(listLessons, { query: { moduleId } })).data;
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('a list contains small lessons whole and the beginning of long ones', async () => {
  const { owner, module, lessons } = await newCourse(platform, { lessons: 2 });
  const [small, large] = lessons.map(({ id }) => ({ lessonId: id })) as [
    { lessonId: string },
    { lessonId: string },
  ];
  const few = { description: 'd'.repeat(500), resources: resourcesOf(5, 100) };
  const many = { description: '🎓'.repeat(5_000), resources: resourcesOf(20, 100) };
  await owner.client.call(updateLesson, { params: small, body: few });
  await owner.client.call(updateLesson, { params: large, body: many });
  const questions = [{ text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] }];
  await owner.client.call(putQuiz, { params: large, body: { passingScore: 50, questions } });
  const [first, second] = await listOf(owner.client, module.id);
  assert.ok(first && second);
  const { resourceCount, ...rest } = first;
  assert.deepEqual([rest, resourceCount], [(await owner.client.call(getLesson, { params: small })).data, 5]);
  assert.equal(second.description, `${'🎓'.repeat(499)}…`);
  assert.deepEqual(second.resources, many.resources.slice(0, 5));
  assert.deepEqual(
    [second.resourceCount, second.quiz],
    [20, { questions: 1, passingScore: 50, passed: false, bestScore: null, attempts: 0 }],
  );
  const whole = (await owner.client.call(getLesson, { params: large })).data;
  assert.deepEqual([whole.description, whole.resources], [many.description, many.resources]);
});

test('members without access do not learn the number of resources of a lesson', async () => {
  const resources = resourcesOf(7, 100);
  const { module } = await newCourse(platform, { course: { price: 5 }, lesson: { resources } });
  const [only] = await listOf((await platform.newMember()).client, module.id);
  assert.deepEqual([only?.resources, only?.resourceCount], [[], 0]);
});

test('a list of courses has the beginning of long descriptions', async () => {
  const description = 'd'.repeat(10_000);
  const { owner, course } = await newCourse(platform, { course: { description, category: 'long' } });
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  for (const { data } of [
    await student.client.call(listCourses, { query: { category: 'long' } }),
    await student.client.call(listEnrolledCourses),
  ])
    assert.equal(data[0]?.description, `${'d'.repeat(499)}…`);
  assert.equal(
    (await owner.client.call(getCourse, { params: { courseId: course.id } })).data.description,
    description,
  );
});

test('lessons are limited to 64 KiB of texts and links, modules to 1 MiB', async () => {
  const owner = await newEducator(platform);
  const { module, lessons } = await newCourse(platform, { owner });
  const tooLarge = { moduleId: module.id, title: 'Too large', resources: resourcesOf(50, 2_000) };
  const refused = await owner.client.attempt(createLesson, { body: tooLarge });
  assertRefused(refused, lessonTooLarge);
  const grown = await owner.client.attempt(updateLesson, {
    params: { lessonId: lessons[0]?.id },
    body: { resources: tooLarge.resources },
  });
  assertRefused(grown, lessonTooLarge);
  const large = { moduleId: module.id, title: 'Large', resources: resourcesOf(30, 2_000) };
  const answers: Answer[] = [];
  while (answers.at(-1)?.status !== 409 && answers.length < 20)
    answers.push(await owner.client.attempt(createLesson, { body: large }));
  assert.equal(answers.at(-1)?.body.error, 'MODULE_TOO_LARGE');
  const list = await listOf(owner.client, module.id);
  assert.equal(list.length, answers.length);
  assert.ok(sizeOf(list) < 256 * KIB, `the list has ${sizeOf(list)} bytes`);
});

test('the captions of a lesson are limited to 8 MiB in total', async () => {
  const { owner, lessons } = await newCourse(platform);
  const id = String(lessons[0]?.id);
  await database.execute(
    `insert into media.caption (subject_id, language, text) values ($1, 'de', repeat('x', 8 * 1024 * 1024 - 6))`,
    [id],
  );
  const put = (text: string) =>
    owner.client.attempt(putLessonCaptions, { params: { lessonId: id, language: 'en' }, body: { text } });
  assert.equal((await put('WEBVTT')).status, 200);
  assertRefused(await put('WEBVTT\n'), captionsTooLarge);
  assert.equal(
    (await owner.client.call(deleteLessonCaptions, { params: { lessonId: id, language: 'de' } })).status,
    200,
  );
  assert.equal((await put('WEBVTT\n')).status, 200);
});

test('lessons above the limit can be read, shortened and published, but not lengthened', async () => {
  const { owner, course, module, lessons } = await newCourse(platform, { lessons: 3 });
  await database.execute(
    `update education.lesson set description = repeat('d', 10000), resources = (
       select jsonb_agg(jsonb_build_object('url', 'https://example.com/' || repeat('x', 2000), 'type', 'pdf'))
       from generate_series(1, 300)) where module_id = $1`,
    [module.id],
  );
  const list = await listOf(owner.client, module.id);
  assert.ok(sizeOf(list) < 64 * KIB, `the list has ${sizeOf(list)} bytes`);
  assert.equal(
    (await owner.client.call(getLesson, { params: { lessonId: lessons[0]?.id } })).data.resources.length,
    300,
  );
  assert.equal(
    (
      await owner.client.call(updateLesson, {
        params: { lessonId: lessons[0]?.id },
        body: { status: 'draft', description: 'd' },
      })
    ).status,
    200,
  );
  assertRefused(
    await owner.client.attempt(updateLesson, {
      params: { lessonId: lessons[0]?.id },
      body: { description: 'dd' },
    }),
    lessonTooLarge,
  );
  const other = (
    await owner.client.call(createCourseModule, { params: { courseId: course.id }, body: { title: 'Other' } })
  ).data;
  assert.equal(
    (
      await owner.client.call(updateLesson, {
        params: { lessonId: lessons[0]?.id },
        body: { moduleId: other.id },
      })
    ).status,
    200,
  );
  assert.equal(
    (await owner.client.call(updateLesson, { params: { lessonId: lessons[0]?.id }, body: { resources: [] } }))
      .status,
    200,
  );
  assertRefused(
    await owner.client.attempt(updateLesson, {
      params: { lessonId: lessons[0]?.id },
      body: { moduleId: module.id },
    }),
    moduleTooLarge,
  );
});
