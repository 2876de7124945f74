import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attemptQuiz,
  deleteQuiz,
  enrollInCourse,
  getCourseProgress,
  getLesson,
  getQuiz,
  getQuizWithAnswers,
  listOwnCertificates,
  putQuiz,
  updateLessonProgress,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator } from '../../identity/contract.ts';
import { lessonNotFound, quizChanged, quizNotFound } from '../failures.ts';
import { quizStore } from './quizzes.store.ts';

const platform = await startPlatform();
const { database } = platform;
const QUIZ = {
  passingScore: 80,
  questions: [
    { text: 'A bid?', options: ['To buy', 'To sell'], correct: [0] },
    { text: 'Which are futures?', options: ['ES', 'EURUSD', 'CL'], correct: [0, 2] },
  ],
};

test('owners and administrators retrieve a quiz with its answers, as they set it', async () => {
  const { owner, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  assertRefused(await owner.client.attempt(getQuizWithAnswers, { params }), quizNotFound);
  const { data } = await owner.client.call(putQuiz, { params, body: QUIZ });
  for (const client of [owner.client, platform.admin])
    assert.deepEqual((await client.call(getQuizWithAnswers, { params })).data, data);
  const { passingScore, questions } = (await owner.client.call(getQuizWithAnswers, { params })).data;
  assert.deepEqual({ passingScore, questions }, QUIZ);
});

test('the order of the correct options of a question says nothing, so that another one is no change', async () => {
  const { owner, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  const { data } = await owner.client.call(putQuiz, { params, body: QUIZ });
  platform.clock.advance(1_000);
  const [first, second] = QUIZ.questions;
  const questions = [first, { ...second, correct: [2, 0] }] as typeof QUIZ.questions;
  assert.deepEqual((await owner.client.call(putQuiz, { params, body: { ...QUIZ, questions } })).data, data);
  const other = [first, { ...second, correct: [0, 1] }] as typeof QUIZ.questions;
  const changed = await owner.client.call(putQuiz, { params, body: { ...QUIZ, questions: other } });
  assert.deepEqual(changed.data.questions, other);
  assert.notEqual(changed.data.updatedAt, data.updatedAt);
});

test('a quiz is refused with everything that is wrong with it, in plain words', async () => {
  const { owner, lessons } = await newCourse(platform);
  const [question] = QUIZ.questions;
  const put = async (quiz: object) =>
    (await owner.client.raw('PUT', `/v1/lessons/${lessons[0].id}/quiz`, quiz)).body.errors;
  const errors = await put({ passingScore: 500, questions: [{ ...question, correct: [7] }] });
  assert.deepEqual(
    errors?.map(({ field }) => field),
    ['passingScore', 'questions.0.correct'],
  );
  assert.deepEqual(await put({ ...QUIZ, questions: [{ ...question, correct: [0, 0] }] }), [
    { field: 'questions.0.correct', message: 'must not have an item twice' },
  ]);
});

test('students and other educators do not get the answers of a quiz', async () => {
  const { owner, course, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  await owner.client.call(putQuiz, { params, body: QUIZ });
  const student = await platform.newMember();
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  assert.equal((await student.client.call(getQuiz, { params })).status, 200);
  assertRefused(await student.client.attempt(getQuizWithAnswers, { params }), notEducator);
  const other = await newEducator(platform);
  await other.client.call(enrollInCourse, { params: { courseId: course.id } });
  assertRefused(await other.client.attempt(getQuizWithAnswers, { params }), insufficientPermissions);
});

/** A course of one lesson with a quiz, and a student who has completed the lesson. */
async function studied() {
  const { owner, course, lessons } = await newCourse(platform);
  const params = { lessonId: lessons[0].id };
  const { data: quiz } = await owner.client.call(putQuiz, { params, body: QUIZ });
  const { client } = await platform.newMember();
  await client.call(enrollInCourse, { params: { courseId: course.id } });
  await client.call(updateLessonProgress, { params, body: { positionSeconds: 1, completed: true } });
  return { owner, course, params, quiz, client };
}

test('a quiz that is removed no longer keeps anybody from completing the course', async () => {
  const { owner, course, params, client } = await studied();
  assert.deepEqual((await client.call(listOwnCertificates)).data, []);
  const { data } = await owner.client.call(deleteQuiz, { params });
  assert.deepEqual(data, params);
  assert.equal((await client.call(getLesson, { params })).data.quiz, null);
  for (const refused of [
    await client.attempt(getQuiz, { params }),
    await client.attempt(attemptQuiz, { params, body: { answers: [[0], [0, 2]] } }),
    await owner.client.attempt(deleteQuiz, { params }),
  ])
    assertRefused(refused, quizNotFound);
  const { quizCount, completedAt } = (
    await client.call(getCourseProgress, { params: { courseId: course.id } })
  ).data;
  assert.equal(quizCount, 0);
  assert.ok(completedAt);
  assert.equal((await client.call(listOwnCertificates)).data[0]?.courseId, course.id);
});

test('attempts at a quiz that was removed count for the next one', async () => {
  const { owner, params, client } = await studied();
  await client.call(attemptQuiz, { params, body: { answers: [[0], [0, 2]] } });
  await owner.client.call(deleteQuiz, { params });
  await owner.client.call(putQuiz, { params, body: QUIZ });
  const { quiz } = (await client.call(getLesson, { params })).data;
  assert.deepEqual([quiz?.attempts, quiz?.passed], [1, true]);
});

test('only who manages the course removes a quiz', async () => {
  const { params, client } = await studied();
  assertRefused(await client.attempt(deleteQuiz, { params }), notEducator);
  const other = await newEducator(platform);
  assertRefused(await other.client.attempt(deleteQuiz, { params }), insufficientPermissions);
  const unknown = { lessonId: 'f'.repeat(24) };
  assertRefused(await other.client.attempt(deleteQuiz, { params: unknown }), lessonNotFound);
  assert.equal((await platform.admin.attempt(deleteQuiz, { params })).status, 200);
});

test('an attempt that names the quiz which it answers is not marked against another', async () => {
  const { owner, params, quiz, client } = await studied();
  const attempt = (answers: number[][], quizUpdatedAt: string) =>
    client.attempt(attemptQuiz, { params, body: { answers, quizUpdatedAt } });
  assert.equal((await attempt([[1], [0, 2]], quiz.updatedAt)).data?.score, 50);
  platform.clock.advance(1);
  const [first, second] = QUIZ.questions as [(typeof QUIZ.questions)[0], (typeof QUIZ.questions)[0]];
  const swapped = { ...first, options: first.options.toReversed(), correct: [1] };
  const { data: changed } = await owner.client.call(putQuiz, {
    params,
    body: { ...QUIZ, questions: [swapped, second] },
  });
  assertRefused(await attempt([[0], [0, 2]], quiz.updatedAt), quizChanged);
  assert.deepEqual((await client.call(getLesson, { params })).data.quiz?.attempts, 1);
  assert.equal((await attempt([[1], [0, 2]], changed.updatedAt)).data?.passed, true);
  assertInvalid(await attempt([[1], [0, 2]], 'yesterday'));
});

test('a quiz does not change between the check of an attempt and its mark', async () => {
  const { params } = await studied();
  const isKept = await keepsFromChange(
    database,
    (tx) => quizStore(database).keep(tx, params.lessonId),
    'education.quiz where lesson_id = $1',
    [params.lessonId],
  );
  assert.equal(isKept, true);
});
