import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  attemptQuiz,
  enrollInCourse,
  getCourseCertificate,
  getCourseOutline,
  getCourseProgress,
  getLesson,
  getQuiz,
  listEnrolledCourses,
  putQuiz,
  updateLesson,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { courseNotCompleted, notEnrolled } from '../failures.ts';
import { marked } from '../quizzes/quizzes.ts';
import { summaryOf } from './progress.ts';

const platform = await startPlatform();

test('a completed lesson stays completed, and counts towards the course', async () => {
  const { course, lessons } = await newCourse(platform, { lessons: 2 });
  const { client } = await platform.newMember();
  const params = { courseId: course.id };
  await client.call(enrollInCourse, { params });
  const progress = (body: { positionSeconds: number; completed?: boolean }) =>
    client.call(updateLessonProgress, { params: { lessonId: lessons[0].id }, body });
  await progress({ positionSeconds: 30 });
  await progress({ positionSeconds: 60, completed: true });
  const kept = await progress({ positionSeconds: 5, completed: false });
  assert.deepEqual([kept.data.positionSeconds, kept.data.completed], [5, true]);
  const { data } = await client.call(getCourseProgress, { params });
  assert.deepEqual(
    [data.lessonsCompleted, data.lessonCount, data.percentage, data.completedAt],
    [1, 2, 50, null],
  );
});

/** A course of one lesson with a quiz of two questions, and a student of it. */
async function quizzed() {
  const { owner, course, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  const questions = [
    { text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] },
    { text: 'Which are futures?', options: ['ES', 'EURUSD', 'CL'], correct: [0, 2] },
  ];
  await owner.client.call(putQuiz, { params, body: { passingScore: 100, questions } });
  const { client } = await platform.newMember();
  const ofCourse = { params: { courseId: course.id } };
  await client.call(enrollInCourse, ofCourse);
  const attempt = (answers: number[][]) => client.attempt(attemptQuiz, { params, body: { answers } });
  return { client, params, ofCourse, attempt };
}

test('students see the questions of a quiz without the solutions, and others see nothing', async () => {
  const { client, params } = await quizzed();
  const { data } = await client.call(getQuiz, { params });
  assert.ok(!JSON.stringify(data).includes('correct'));
  const stranger = await platform.newMember();
  assertRefused(await stranger.client.attempt(getQuiz, { params }), notEnrolled);
});

test('each attempt at a quiz is marked, and needs an answer to every question', async () => {
  const { attempt } = await quizzed();
  const failed = await attempt([[0], [0]]);
  assert.deepEqual(failed.data, { score: 50, passed: false, attempt: 1, correct: [true, false] });
  assertInvalid(await attempt([[0]]));
  const passed = await attempt([[0], [2, 0]]);
  assert.deepEqual([passed.status, passed.data?.score, passed.data?.attempt], [201, 100, 2]);
});

test('lessons, outline and progress say which quizzes are left, and how one has done', async () => {
  const { client, params, ofCourse, attempt } = await quizzed();
  const shown = async () => {
    const [lesson, outline, progress] = await Promise.all([
      client.call(getLesson, { params }),
      client.call(getCourseOutline, ofCourse),
      client.call(getCourseProgress, ofCourse),
    ]);
    const { quiz } = lesson.data;
    assert.deepEqual(outline.data.modules[0]?.lessons[0]?.quiz, quiz);
    const { courseId, lessons, ...summary } = progress.data;
    assert.deepEqual(outline.data.progress, summary);
    const { passed, bestScore, attempts } = quiz ?? assert.fail('the lesson has a quiz');
    const { percentage, quizzesPassed, quizCount, completedAt } = summary;
    return {
      passed,
      bestScore,
      attempts,
      percentage,
      left: quizCount - quizzesPassed,
      isDone: !!completedAt,
    };
  };
  await client.call(updateLessonProgress, { params, body: { positionSeconds: 60, completed: true } });
  const none = { passed: false, bestScore: null, attempts: 0, percentage: 100, left: 1, isDone: false };
  assert.deepEqual(await shown(), none);
  await attempt([[0], [0]]);
  await attempt([[1], [0]]);
  assert.deepEqual(await shown(), { ...none, bestScore: 50, attempts: 2 });
  await attempt([[0], [2, 0]]);
  await attempt([[1], [1]]);
  const passed = { passed: true, bestScore: 100, attempts: 4, percentage: 100, left: 0, isDone: true };
  assert.deepEqual(await shown(), passed);
});

test('a course with a quiz is completed once the quiz is passed', async () => {
  const { client, params, ofCourse, attempt } = await quizzed();
  await client.call(updateLessonProgress, { params, body: { positionSeconds: 60, completed: true } });
  assertRefused(await client.attempt(getCourseCertificate, ofCourse), courseNotCompleted);
  await attempt([[0], [2, 0]]);
  assert.equal((await client.call(getCourseCertificate, ofCourse)).status, 200);
});

/** A lesson with or without a quiz, which only one that has it can have passed. */
const studied = fc
  .record({ completed: fc.boolean(), hasQuiz: fc.boolean(), passes: fc.boolean() })
  .map(({ passes, ...lesson }) => ({ ...lesson, isQuizPassed: lesson.hasQuiz && passes }));

test('progress shows 100 only when all lessons are complete, and a quiz counts exact answers only', () => {
  fc.assert(
    fc.property(fc.array(studied, { maxLength: 400 }), (lessons) => {
      const { lessonsCompleted, lessonCount, percentage, quizzesPassed, quizCount } = summaryOf(lessons);
      assert.ok(quizzesPassed <= quizCount && quizCount <= lessonCount);
      assert.ok(percentage >= 0 && percentage <= 100);
      assert.equal(percentage === 100, lessonCount > 0 && lessonsCompleted === lessonCount);
    }),
  );
  const correct = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(correct, fc.array(fc.nat(6))), { minLength: 1, maxLength: 20 }),
      (pairs) => {
        const result = marked(
          pairs.map(([expected]) => ({ correct: expected })),
          pairs.map(([, given]) => given),
        );
        const naive = pairs.map(
          ([expected, given]) => [...new Set(given)].sort().join() === [...expected].sort().join(),
        );
        assert.deepEqual(result.correct, naive);
        assert.equal(result.score === 100, naive.every(Boolean));
      },
    ),
  );
});

test('the list of enrolled courses tells the same progress as each course, and when it was last studied', async () => {
  const [first, second] = [await newCourse(platform, { lessons: 3 }), await newCourse(platform)];
  const { client } = await platform.newMember();
  for (const { course } of [first, second])
    await client.call(enrollInCourse, { params: { courseId: course.id } });
  const complete = (lessonId: string) =>
    client.call(updateLessonProgress, {
      params: { lessonId },
      body: { positionSeconds: 9, completed: true },
    });
  const listed = async () => (await client.call(listEnrolledCourses)).data;
  assert.deepEqual(
    (await listed()).map(({ progress }) => [progress.percentage, progress.lastStudiedAt]),
    [
      [0, null],
      [0, null],
    ],
  );
  await complete(first.lessons[0].id);
  await complete(second.lessons[0].id);
  const all = await listed();
  assert.deepEqual(
    all.map(({ progress }) => progress.percentage),
    [100, 33],
  );
  for (const { id, completedAt, progress } of all) {
    const { courseId, lessons, ...summary } = (
      await client.call(getCourseProgress, { params: { courseId: id } })
    ).data;
    const { lastStudiedAt, ...same } = progress;
    assert.deepEqual(same, summary);
    assert.equal(completedAt, summary.completedAt);
    assert.ok(lastStudiedAt);
  }
  assert.deepEqual(
    all.map(({ completedAt }) => completedAt !== null),
    [true, false],
  );
});

test('a course whose last open lesson is hidden is completed when the courses are listed', async () => {
  const { owner, course, lessons } = await newCourse(platform, { lessons: 2 });
  const { client } = await platform.newMember();
  await client.call(enrollInCourse, { params: { courseId: course.id } });
  await client.call(updateLessonProgress, {
    params: { lessonId: lessons[0].id },
    body: { positionSeconds: 9, completed: true },
  });
  await owner.client.call(updateLesson, {
    params: { lessonId: lessons[1]?.id as string },
    body: { status: 'draft' },
  });
  const [listed] = (await client.call(listEnrolledCourses)).data;
  assert.deepEqual([listed?.progress.lessonCount, listed?.progress.percentage], [1, 100]);
  assert.ok(listed?.completedAt);
});

/** A lesson with a student of it, and what they save. */
async function positioned() {
  const { course, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  const { client } = await platform.newMember();
  await client.call(enrollInCourse, { params: { courseId: course.id } });
  const save = (body: { positionSeconds: number; completed?: boolean; at?: string }) =>
    client.attempt(updateLessonProgress, { params, body });
  platform.clock.advance(200_000);
  const ago = (seconds: number) => new Date(platform.clock.now() - seconds * 1_000).toISOString();
  return { client, params, course, save, ago };
}

test('a position that is sent late overwrites no newer one, and what it completes is completed', async () => {
  const { client, course, save, ago } = await positioned();
  assert.equal((await save({ positionSeconds: 40, at: ago(100) })).data?.positionSeconds, 40);
  assert.equal((await save({ positionSeconds: 50, at: ago(60) })).data?.positionSeconds, 50);
  const late = await save({ positionSeconds: 10, completed: true, at: ago(80) });
  assert.deepEqual([late.data?.positionSeconds, late.data?.completed], [50, true]);
  assert.ok((late.data?.completedAt ?? '') > ago(30), 'it is completed now');
  const { completedAt } = (await client.call(getCourseProgress, { params: { courseId: course.id } })).data;
  assert.ok(completedAt);
  assert.equal((await save({ positionSeconds: 5 })).data?.positionSeconds, 5, 'without an instant it is new');
  assert.equal((await save({ positionSeconds: 6, at: ago(1) })).data?.positionSeconds, 5);
});

test('a position of before the enrolment counts as of its beginning, and the course as studied when it was saved', async () => {
  const { client, params, save } = await positioned();
  const read = async () => {
    const [listed] = (await client.call(listEnrolledCourses)).data;
    const [row] = await platform.database.all<{ startedAt: Date; updatedAt: Date }>(
      'select started_at, updated_at from education.lesson_progress where lesson_id = $1',
      [params.lessonId],
    );
    const { startedAt, updatedAt } = row ?? assert.fail('it is stored');
    return {
      enrolledAt: listed?.enrolledAt,
      startedAt: startedAt.toISOString(),
      at: updatedAt.toISOString(),
      lastStudiedAt: listed?.progress.lastStudiedAt,
    };
  };
  assert.equal((await save({ positionSeconds: 5, at: '0001-01-01T00:00:00Z' })).data?.positionSeconds, 5);
  const first = await read();
  assert.equal(first.at, first.enrolledAt);
  assert.ok(first.startedAt > first.at);
  assert.equal(first.lastStudiedAt, first.startedAt);

  platform.clock.advance(60_000);
  const { data } = await save({ positionSeconds: 6, completed: true, at: '1999-01-01T00:00:00Z' });
  const second = await read();
  assert.deepEqual([data?.positionSeconds, second.at, second.startedAt], [5, first.at, first.startedAt]);
  assert.equal(second.lastStudiedAt, data?.completedAt);
});

test('a position is at most a minute ahead of the clock, and then counts as of now', async () => {
  const { save, ago } = await positioned();
  assertInvalid(await save({ positionSeconds: 1, at: ago(-90) }));
  const { errors } = (await save({ positionSeconds: -1, at: ago(-90) })).body;
  assert.deepEqual(
    errors?.map(({ field }) => field),
    ['positionSeconds', 'at'],
  );
  assert.equal((await save({ positionSeconds: 1, at: ago(-30) })).data?.positionSeconds, 1);
  platform.clock.advance(1_000);
  assert.equal((await save({ positionSeconds: 2, at: ago(0) })).data?.positionSeconds, 2);
  assertInvalid(await save({ positionSeconds: 1, at: 'soon' }));
});

test('a position ends with the video, if there is one', async () => {
  const { client, params, course, save, ago } = await positioned();
  assert.equal((await save({ positionSeconds: 300_000 })).data?.positionSeconds, 300_000);
  await platform.database.execute(
    'update education.lesson set has_video = true, duration = 8 where id = $1',
    [params.lessonId],
  );
  const ofCourse = { params: { courseId: course.id } };
  const [listed] = (await client.call(getCourseProgress, ofCourse)).data.lessons;
  const outlined = (await client.call(getCourseOutline, ofCourse)).data.modules[0]?.lessons[0]?.progress;
  assert.deepEqual([listed?.positionSeconds, outlined?.positionSeconds], [8, 8], 'a video came later');
  assert.equal((await save({ positionSeconds: 1, at: ago(60) })).data?.positionSeconds, 8, 'it is older');
  assert.equal((await save({ positionSeconds: 300_000 })).data?.positionSeconds, 8);
  assert.equal((await save({ positionSeconds: 7 })).data?.positionSeconds, 7);
});
