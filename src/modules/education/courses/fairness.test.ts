// The effects of a course's changes on its members, and the limits on the content of one educator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCourseModule,
  createLesson,
  deleteLesson,
  deleteLessonCaptions,
  enrollInCourse,
  getCourse,
  getCourseCertificate,
  getCourseProgress,
  getLesson,
  leaveCourse,
  listCourseModules,
  listEnrolledCourses,
  putLessonCaptions,
  rateCourse,
  updateCourse,
  updateLesson,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import {
  invalidLanguage,
  ownCourse,
  priceChanged,
  tooManyCaptions,
  tooManyLessons,
  tooManyModules,
} from '../failures.ts';

const platform = await startPlatform();
const { database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const enrol = ({ client }: Member, courseId: string, query: { maxKeys?: number } = {}) =>
  client.attempt(enrollInCourse, { params: { courseId }, query });
const complete = ({ client }: Member, lessonId: string) =>
  client.call(updateLessonProgress, { params: { lessonId }, body: { positionSeconds: 1, completed: true } });

test('removing or hiding the last open lesson completes the course for a member', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 3 });
  const [first, second, third] = lessons.map(({ id }) => String(id)) as [string, string, string];
  const [a, b, c] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
  for (const member of [a, b, c]) {
    await enrol(member, course.id);
    await complete(member, first);
  }
  await owner.client.call(deleteLesson, { params: { lessonId: second } });
  await owner.client.call(updateLesson, { params: { lessonId: third }, body: { status: 'draft' } });
  assert.equal((await a.client.call(getCourseCertificate, { params: { courseId: course.id } })).status, 200);
  const { percentage, completedAt } = (
    await b.client.call(getCourseProgress, { params: { courseId: course.id } })
  ).data;
  assert.equal(percentage, 100);
  assert.notEqual(completedAt, null, 'the progress says so as well');
  await complete(c, first);
  const [enrolled] = (await c.client.call(listEnrolledCourses)).data;
  assert.notEqual(enrolled?.completedAt, null, 'saving progress again completes, too');
});

test('a member who enrols again pays nothing', async () => {
  const { owner, course } = await newCourse(platform);
  const member = await platform.newMemberWith(10);
  await enrol(member, course.id);
  await member.client.call(leaveCourse, { params: { courseId: course.id } });
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { price: 10 } });
  const back = await enrol(member, course.id);
  assert.deepEqual([back.status, back.data?.paidKeys], [201, 0]);
});

test('a member pays no more than they agreed to', async () => {
  const { owner, course } = await newCourse(platform, { course: { price: 10 } });
  const member = await platform.newMemberWith(100);
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { price: 90 } });
  const refused = await enrol(member, course.id, { maxKeys: 10 });
  assertRefused(refused, () => priceChanged(20));
  assertInvalid(await enrol(member, course.id, { maxKeys: -1 }));
  const enrolled = await enrol(member, course.id, { maxKeys: 90 });
  assert.deepEqual([enrolled.status, enrolled.data?.paidKeys], [201, 90]);
  assert.equal(
    (await enrol(member, course.id, { maxKeys: 0 })).status,
    200,
    'the course was paid for before',
  );
});

test('an educator cannot rate their own course', async () => {
  const { owner, course } = await newCourse(platform);
  await enrol(owner, course.id);
  const rated = await owner.client.attempt(rateCourse, {
    params: { courseId: course.id },
    body: { rating: 5 },
  });
  assertRefused(rated, ownCourse);
  assert.equal((await owner.client.call(getCourse, { params: { courseId: course.id } })).data.rating, 0);
});

test('concurrent enrolments and departures never cause a server error', async () => {
  const { course } = await newCourse(platform);
  const member = await platform.newMember();
  const params = { courseId: course.id };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      untilAvailable<{ status: number }>(() =>
        place % 2 === 0
          ? member.client.attempt(enrollInCourse, { params })
          : member.client.attempt(leaveCourse, { params }),
      ),
    ),
  );
  assert.deepEqual(
    answers.filter(({ status }, place) => status >= (place % 2 === 0 ? 400 : 500)),
    [],
    'every enrolment succeeds',
  );
  const { enrolled, enrolledCount } = (
    await member.client.call(getCourse, { params: { courseId: course.id } })
  ).data;
  assert.equal(enrolledCount, Number(enrolled));
});

test('the numbers of modules, lessons and captions are limited', async () => {
  const owner = await newEducator(platform);
  const { course, module, lessons } = await newCourse(platform, { owner });
  const lessonId = String(lessons[0]?.id);
  const id = `to_hex(n + 4096) || right('${lessonId}', 20)`;
  await database.execute(
    `insert into education.module (id, course_id, title, position)
     select ${id}, $1, 'Module', n + 1 from generate_series(1, 198) n`,
    [course.id],
  );
  const addModule = () =>
    owner.client.attempt(createCourseModule, { params: { courseId: course.id }, body: { title: 'Module' } });
  assert.equal((await addModule()).status, 201);
  assertRefused(await addModule(), tooManyModules);
  await database.execute(
    `insert into education.lesson (id, module_id, course_id, title, description, position, resources, preview, status, created_at, updated_at)
     select ${id}, $1, $2, 'Lesson', '', n + 1, '[]', false, 'draft', now(), now() from generate_series(1, 198) n`,
    [module.id, course.id],
  );
  const addLesson = (moduleId: string) =>
    owner.client.attempt(createLesson, { body: { moduleId, title: 'Lesson' } });
  assert.equal((await addLesson(module.id)).status, 201);
  assertRefused(await addLesson(module.id), tooManyLessons);
  const [, other] = (await owner.client.call(listCourseModules, { params: { courseId: course.id } })).data;
  const elsewhere = (await addLesson(String(other?.id))).data;
  const moved = await owner.client.attempt(updateLesson, {
    params: { lessonId: String(elsewhere?.id) },
    body: { moduleId: module.id },
  });
  assertRefused(moved, tooManyLessons);
  await database.execute(
    `insert into media.caption (subject_id, language, text)
     select $1, 'x' || chr(97 + n / 26) || chr(97 + n % 26), 'WEBVTT' from generate_series(1, 99) n`,
    [lessonId],
  );
  const caption = (language: string) =>
    owner.client.attempt(putLessonCaptions, { params: { lessonId, language }, body: { text: 'WEBVTT' } });
  assert.equal((await caption('en')).status, 200);
  assertRefused(await caption('de'), tooManyCaptions);
  assert.equal((await caption('en')).status, 200, 'those that exist can be replaced');
});

test('language codes are case-insensitive', async () => {
  const { owner, lessons } = await newCourse(platform);
  const put = (language: string) =>
    owner.client.attempt(putLessonCaptions, {
      params: { lessonId: lessons[0]?.id, language },
      body: { text: 'WEBVTT' },
    });
  for (const language of ['pt-br', 'PT-BR', 'pt-BR'])
    assert.deepEqual((await put(language)).data?.language, 'pt-BR');
  assert.deepEqual(
    (await owner.client.call(getLesson, { params: { lessonId: lessons[0]?.id } })).data.captions,
    ['pt-BR'],
  );
  assertRefused(await put('en-a1-a2'), invalidLanguage);
  assert.equal(
    (
      await owner.client.call(deleteLessonCaptions, {
        params: { lessonId: lessons[0]?.id, language: 'Pt-Br' },
      })
    ).status,
    200,
  );
});
