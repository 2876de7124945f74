import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCourseModule,
  createLesson,
  enrollInCourse,
  getCourseOutline,
  getCourseProgress,
  leaveCourse,
  listCourseModules,
  listLessons,
  putQuiz,
  updateCourse,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { courseNotFound } from '../contract.ts';

const platform = await startPlatform();
type Viewer = Pick<Member, 'client'>;

const outlineOf = async ({ client }: Viewer, courseId: string) =>
  (await client.call(getCourseOutline, { params: { courseId } })).data;
const enrol = ({ client }: Viewer, courseId: string) => client.call(enrollInCourse, { params: { courseId } });
const study = (
  { client }: Viewer,
  lessonId: string,
  body: { positionSeconds: number; completed?: boolean },
) => client.call(updateLessonProgress, { params: { lessonId }, body });

/** Returns the outline that a client would compose from the modules, their lessons, and the progress. */
async function assembled({ client }: Viewer, courseId: string) {
  const params = { courseId };
  const progress = await client.attempt(getCourseProgress, { params });
  const places = progress.data?.lessons ?? [];
  const modules = (await client.call(listCourseModules, { params })).data;
  return Promise.all(
    modules.map(async ({ courseId: _, ...module }) => ({
      ...module,
      lessons: (await client.call(listLessons, { query: { moduleId: module.id } })).data.map((lesson) => {
        const { id, title, order, duration, preview, status, thumbnailUrl, videoUnavailable, quiz } = lesson;
        const { lessonId: _, ...place } = places.find((one) => one.lessonId === id) ?? { lessonId: '' };
        const reached = 'completed' in place ? place : null;
        return {
          id,
          title,
          order,
          duration,
          preview,
          status,
          thumbnailUrl,
          videoUnavailable,
          quiz,
          progress: reached,
        };
      }),
    })),
  );
}

/** A priced course of two modules with a preview, a quiz and a draft among the lessons, and an empty module. */
async function variedCourse() {
  const { owner, course, lessons } = await newCourse(platform, { course: { price: 5 }, lessons: 2 });
  const params = { courseId: course.id };
  const second = (await owner.client.call(createCourseModule, { params, body: { title: 'Second' } })).data;
  await owner.client.call(createCourseModule, { params, body: { title: 'Empty' } });
  const add = async (title: string, more: object) =>
    (await owner.client.call(createLesson, { body: { moduleId: second.id, title, ...more } })).data;
  await add('Preview', { status: 'published', preview: true, thumbnailUrl: 'https://example.com/p.jpg' });
  const draft = await add('Draft', { status: 'draft' });
  const questions = [{ text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] }];
  await owner.client.call(putQuiz, {
    params: { lessonId: lessons[0].id },
    body: { passingScore: 50, questions },
  });
  return { owner, course, lessons, draft };
}

test('an outline equals the results of the single operations, for everyone who may see the course', async () => {
  const { owner, course, lessons, draft } = await variedCourse();
  const student = await platform.newMemberWith(5);
  await enrol(student, course.id);
  await study(student, lessons[0].id, { positionSeconds: 60, completed: true });
  await study(student, lessons[1]?.id ?? '', { positionSeconds: 12 });
  await enrol(owner, course.id);
  const stranger = await platform.newMember();
  for (const viewer of [student, owner, stranger, { client: platform.admin }])
    assert.deepEqual((await outlineOf(viewer, course.id)).modules, await assembled(viewer, course.id));
  const titles = async (viewer: Viewer) =>
    (await outlineOf(viewer, course.id)).modules.map((module) => module.lessons.map(({ title }) => title));
  assert.deepEqual(await titles(student), [['Lesson 1', 'Lesson 2'], ['Preview'], []]);
  assert.deepEqual(await titles(owner), [['Lesson 1', 'Lesson 2'], ['Preview', draft.title], []]);
});

test('progress is in the outline for those who are enrolled, and null for others', async () => {
  const { course, lessons } = await variedCourse();
  const student = await platform.newMemberWith(5);
  const before = await outlineOf(student, course.id);
  assert.deepEqual([before.enrolled, before.progress], [false, null]);
  assert.deepEqual(before.modules[0]?.lessons[0]?.videoUnavailable, 'not-entitled');
  await enrol(student, course.id);
  await study(student, lessons[0].id, { positionSeconds: 60, completed: true });
  const during = await outlineOf(student, course.id);
  const summary = {
    lessonsCompleted: 1,
    lessonCount: 3,
    percentage: 33,
    completedAt: null,
    quizzesPassed: 0,
    quizCount: 1,
  };
  assert.deepEqual([during.enrolled, during.progress], [true, summary]);
  assert.equal(during.modules[0]?.lessons[0]?.progress?.completed, true);
  await student.client.call(leaveCourse, { params: { courseId: course.id } });
  const after = await outlineOf(student, course.id);
  assert.deepEqual([after.enrolled, after.progress], [false, null]);
  assert.ok(after.modules.every((module) => module.lessons.every(({ progress }) => progress === null)));
});

test('the outline of a course that one may not see is not found', async () => {
  const { owner, course } = await newCourse(platform);
  const student = await platform.newMember();
  await enrol(student, course.id);
  const ask = ({ client }: Viewer, courseId = course.id) =>
    client.attempt(getCourseOutline, { params: { courseId } });
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'archived' } });
  assert.equal((await ask(student)).status, 200);
  assertRefused(await ask(await platform.newMember()), courseNotFound);
  await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status: 'draft' } });
  assertRefused(await ask(student), courseNotFound);
  assert.equal((await ask(owner)).status, 200);
  assertRefused(await ask(owner, 'f'.repeat(24)), courseNotFound);
});

test('an outline has the first thousand lessons of a course, and says if there are more', async () => {
  const { owner, course, module } = await newCourse(platform);
  await platform.database.execute(
    `insert into education.lesson (id, module_id, course_id, title, position, status, created_at, updated_at)
     select lpad(to_hex(i), 24, '0'), $1, $2, 'Lesson ' || i, i, 'published', now(), now()
     from generate_series(2, 1001) i`,
    [module.id, course.id],
  );
  const { modules, hasMoreLessons } = await outlineOf(owner, course.id);
  assert.deepEqual([modules[0]?.lessons.length, hasMoreLessons], [1000, true]);
  assert.equal(modules[0]?.lessons.at(-1)?.title, 'Lesson 1000');
  await platform.database.execute('delete from education.lesson where course_id = $1 and position = 1001', [
    course.id,
  ]);
  assert.equal((await outlineOf(owner, course.id)).hasMoreLessons, false);
});
