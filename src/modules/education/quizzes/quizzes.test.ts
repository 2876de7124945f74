import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrollInCourse, getQuiz, getQuizWithAnswers, putQuiz } from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator } from '../../identity/contract.ts';
import { quizNotFound } from '../failures.ts';

const platform = await startPlatform();
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
