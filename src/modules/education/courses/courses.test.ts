import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
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
  updateCourse,
  updateCourseModule,
  updateLesson,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import type { Client } from '../../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { courseNotFound } from '../contract.ts';
import { courseNotReady } from '../failures.ts';
import { arranged } from './ordering.ts';

const platform = await startPlatform();
const { admin } = platform;

const titles = (answer: { data: { title: string }[] }): string[] => answer.data.map(({ title }) => title);
const lessonsOf = async (client: Client, moduleId: string) =>
  (await client.call(listLessons, { query: { moduleId } })).data;

test('a draft is visible only to its owner and administrators', async () => {
  const ada = await newEducator(platform);
  const [other, member] = [await newEducator(platform), await platform.newMember()];
  const { data: course, status } = await ada.client.call(createCourse, {
    body: { title: 'Reading the tape' },
  });
  assert.equal(status, 201);
  assert.deepEqual([course.status, course.currency, course.price, course.rating], ['draft', 'Keys', 0, 0]);
  const params = { courseId: course.id };
  const change = { params, body: { title: 'Mine' } };
  assertRefused(await member.client.attempt(getCourse, { params }), courseNotFound);
  assertRefused(await other.client.attempt(updateCourse, change), courseNotFound);
  for (const client of [ada.client, admin])
    assert.equal((await client.call(getCourse, { params })).data.id, course.id);
});

test('a course can be published once it has a description and a published lesson', async () => {
  const { client } = await newEducator(platform);
  const { data: course } = await client.call(createCourse, { body: { title: 'Reading the tape' } });
  const params = { courseId: course.id };
  const publication = { params, body: { status: 'published' as const } };
  assertRefused(await client.attempt(updateCourse, publication), courseNotReady);
  const { data: module } = await client.call(createCourseModule, { params, body: { title: 'One' } });
  const { data: lesson } = await client.call(createLesson, {
    body: { moduleId: module.id, title: 'Bids', duration: 90 },
  });
  assert.deepEqual([lesson.status, lesson.order, lesson.courseId], ['draft', 1, course.id]);
  await client.call(updateCourse, { params, body: { description: 'All of it.' } });
  assertRefused(await client.attempt(updateCourse, publication), courseNotReady);
  await client.call(updateLesson, { params: { lessonId: lesson.id }, body: { status: 'published' } });
  const { data } = await client.call(updateCourse, publication);
  assert.deepEqual([data.lessonCount, data.duration], [1, 90]);
});

test('a published course shows its contents and its instructor, who alone changes it', async () => {
  const { owner, course } = await newCourse(platform, { lesson: { duration: 90 } });
  const [other, member] = [await newEducator(platform), await platform.newMember()];
  const params = { courseId: course.id };
  const { modules, enrolled, instructor } = (await member.client.call(getCourse, { params })).data;
  assert.deepEqual([modules[0]?.lessonCount, modules[0]?.duration, enrolled], [1, 90, false]);
  assert.equal(instructor.id, owner.id);
  const change = { params, body: { title: 'Mine' } };
  assertRefused(await other.client.attempt(updateCourse, change), insufficientPermissions);
});

test('a published course keeps a published lesson', async () => {
  const { owner, lessons } = await newCourse(platform);
  const hidden = { params: { lessonId: lessons[0].id }, body: { status: 'draft' as const } };
  assertRefused(await owner.client.attempt(updateLesson, hidden), courseNotReady);
});

test('draft lessons are hidden from members and not counted', async () => {
  const { owner, course, module, lessons } = await newCourse(platform, { lessons: 2 });
  await owner.client.call(createLesson, { body: { moduleId: module.id, title: 'Draft', duration: 500 } });
  const member = await platform.newMember();
  assert.equal((await lessonsOf(member.client, module.id)).length, 2);
  assert.equal((await lessonsOf(owner.client, module.id)).length, 3);
  assert.equal(
    (await member.client.call(getCourse, { params: { courseId: course.id } })).data.lessonCount,
    2,
  );
  const [first] = lessons;
  assert.equal(
    (await member.client.call(getLesson, { params: { lessonId: first?.id } })).data.title,
    'Lesson 1',
  );
});

test('course lists are filtered and paged, and contain drafts for their owner only', async () => {
  const { owner, course } = await newCourse(platform, { course: { category: 'futures', level: 'advanced' } });
  await owner.client.call(createCourse, { body: { title: 'Not yet' } });
  const member = await platform.newMember();
  const list = (query: TypesOf<typeof listCourses>['query']) => member.client.call(listCourses, { query });
  assert.deepEqual(titles(await list({ category: 'futures', level: 'advanced' })), [course.title]);
  assert.deepEqual(titles(await list({ category: 'futures', level: 'beginner' })), []);
  const { pagination } = (await list({ limit: 1 })).body;
  assert.deepEqual([pagination.limit, pagination.page], [1, 1]);
  assert.deepEqual(titles(await list({ status: 'draft' })), []);
  assert.deepEqual(titles(await owner.client.call(listCourses, { query: { status: 'draft' } })), ['Not yet']);
  assertInvalid(await member.client.raw('GET', '/v1/courses?level=expert'));
});

test('the order of modules and lessons has no gaps after inserts, moves and deletions', async () => {
  const { owner, course, module } = await newCourse(platform, { lessons: 3 });
  const added = (
    await owner.client.call(createCourseModule, {
      params: { courseId: course.id },
      body: { title: 'First of all', order: 1 },
    })
  ).data;
  assert.equal(added.order, 1);
  assert.deepEqual(titles(await owner.client.call(listCourseModules, { params: { courseId: course.id } })), [
    'First of all',
    'Module 1',
  ]);
  await owner.client.call(updateCourseModule, {
    params: { courseId: course.id, moduleId: added.id },
    body: { order: 99, title: 'Last' },
  });
  assert.deepEqual(
    (await owner.client.call(listCourseModules, { params: { courseId: course.id } })).data.map(
      ({ title, order }) => [title, order],
    ),
    [
      ['Module 1', 1],
      ['Last', 2],
    ],
  );
  const [one, , three] = await lessonsOf(owner.client, module.id);
  assert.ok(one && three);
  await owner.client.call(updateLesson, { params: { lessonId: three.id }, body: { order: 1 } });
  await owner.client.call(deleteLesson, { params: { lessonId: one.id } });
  const left = await lessonsOf(owner.client, module.id);
  assert.deepEqual(
    left.map(({ title, order }) => [title, order]),
    [
      ['Lesson 3', 1],
      ['Lesson 2', 2],
    ],
  );
  await owner.client.call(updateLesson, { params: { lessonId: three.id }, body: { moduleId: added.id } });
  assert.deepEqual(
    (await lessonsOf(owner.client, module.id)).map(({ order }) => order),
    [1],
  );
  assert.equal(
    (await owner.client.call(deleteCourseModule, { params: { courseId: course.id, moduleId: module.id } }))
      .status,
    200,
  );
  assert.deepEqual(
    (await owner.client.call(listCourseModules, { params: { courseId: course.id } })).data.map(
      ({ title, order, lessonCount }) => [title, order, lessonCount],
    ),
    [['Last', 1, 1]],
  );
});

test('moving an item puts it at its position and keeps the order of the others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(50), { maxLength: 12 }),
      fc.nat(60),
      fc.option(fc.integer({ min: 1, max: 20 })),
      (ids, id, order) => {
        const after = arranged(ids, id, order ?? undefined);
        assert.deepEqual([...after].sort(), [...new Set([...ids, id])].sort());
        assert.deepEqual(
          after.filter((one) => one !== id),
          ids.filter((one) => one !== id),
        );
        if (order !== null) assert.equal(after.indexOf(id), Math.min(order, after.length) - 1);
      },
    ),
  );
});

test('a course without students is deleted, and one with students archived', async () => {
  const { owner, course } = await newCourse(platform);
  const [student, stranger] = [await platform.newMember(), await platform.newMember()];
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  assert.deepEqual((await owner.client.call(deleteCourse, { params: { courseId: course.id } })).data, {
    id: course.id,
    status: 'archived',
  });
  assert.equal((await student.client.call(getCourse, { params: { courseId: course.id } })).status, 200);
  assertRefused(
    await stranger.client.attempt(getCourse, { params: { courseId: course.id } }),
    courseNotFound,
  );
  assertRefused(
    await stranger.client.attempt(enrollInCourse, { params: { courseId: course.id } }),
    courseNotFound,
  );
  const unused = await newCourse(platform);
  assert.equal(
    (await unused.owner.client.call(deleteCourse, { params: { courseId: unused.course.id } })).data.status,
    'deleted',
  );
  assertRefused(
    await unused.owner.client.attempt(getCourse, { params: { courseId: unused.course.id } }),
    courseNotFound,
  );
});

test('prices are whole Keys or money with two decimals, and other fields are bounded', async () => {
  const ada = await newEducator(platform);
  const create = (fields: object) => ada.client.attempt(createCourse, { body: { title: 'T', ...fields } });
  assert.equal((await create({ price: 1.5 })).body.errors?.[0]?.field, 'price');
  assertInvalid(await create({ price: 1.005, currency: 'USD' }));
  assert.equal((await create({ price: 1.05, currency: 'USD' })).data?.price, 1.05);
  assertInvalid(await create({ currency: 'XXX!' }));
  assertInvalid(await create({ price: -1 }));
  assertInvalid(await create({ title: ' \u200b ' }));
  assertInvalid(await create({ trailerUrl: 'javascript:alert(1)' }));
  assertInvalid(await create({ tags: Array.from({ length: 51 }, () => 'x') }));
});
