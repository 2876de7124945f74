import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { changedMeanwhile } from '../../../kernel/operations/lost-updates.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
} from '../../../kernel/operations/operation.ts';
import { educator } from '../../identity/contract.ts';
import { BY_OWNER } from '../courses/courses.schemas.ts';
import { lessonNotFound, notEnrolled, quizChanged, quizNotFound } from '../failures.ts';
import type { LessonRules } from '../lessons/lessons.ts';
import {
  AttemptQuizBody,
  AttemptShape,
  DeleteQuizResult,
  OwnQuiz,
  PutQuizBody,
  QuizShape,
} from './quizzes.schemas.ts';
import { type QuizRules, questionFaults } from './quizzes.ts';

const tag = 'Quizzes';
const params = Type.Object({ lessonId: pathId('lesson') });

export const quizOperations = (lessons: LessonRules, quizzes: QuizRules): Operation[] => [
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/quiz',
    id: 'putQuiz',
    tag,
    summary: 'Set the quiz of a lesson',
    description: `${BY_OWNER} Attempts at the previous quiz keep their results.`,
    access: educator,
    isAlsoForStaff: true,
    params,
    body: PutQuizBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(OwnQuiz, { message: 'Quiz saved' }),
    failures: [lessonNotFound, insufficientPermissions, changedMeanwhile],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    faults: ({ body: { questions = [] } }) => questionFaults(questions),
    handle: ({ loaded, body, caller, facts }) => quizzes.put(loaded, body, actorOf(caller, facts)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/lessons/:lessonId/quiz',
    id: 'deleteQuiz',
    tag,
    summary: 'Remove the quiz of a lesson',
    description: `${BY_OWNER} Attempts are kept, and count again if the lesson gets another quiz. Members who had nothing else left to do complete the course at the next look at their progress or certificate.`,
    access: educator,
    isAlsoForStaff: true,
    params,
    success: ok(DeleteQuizResult, { message: 'Quiz removed' }),
    failures: [lessonNotFound, quizNotFound, insufficientPermissions],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, caller, facts }) => quizzes.delete(loaded, actorOf(caller, facts)),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/quiz',
    id: 'getQuiz',
    tag,
    summary: 'Retrieve the quiz of a lesson, without the answers',
    access: member,
    params,
    success: ok(QuizShape),
    failures: [lessonNotFound, quizNotFound, notEnrolled],
    load: ({ params, caller }) => lessons.studied(params.lessonId, caller),
    handle: ({ loaded }) => quizzes.find(loaded.lesson.id),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/quiz/answers',
    id: 'getQuizWithAnswers',
    tag,
    summary: 'Retrieve the quiz of a lesson with the answers, to edit it',
    description: 'Requires the owner of the course or an administrator.',
    access: educator,
    params,
    success: ok(OwnQuiz),
    failures: [lessonNotFound, quizNotFound, insufficientPermissions],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded }) => quizzes.find(loaded.id),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/quiz/attempts',
    id: 'attemptQuiz',
    tag,
    summary: 'Submit an attempt at a quiz',
    description:
      '`answers` has one list of option indices for each question. An answer is correct if it contains exactly the correct options. Send `quizUpdatedAt` with the `updatedAt` of the quiz that was shown: an educator may change it meanwhile.',
    access: member,
    params,
    idempotent: true,
    body: AttemptQuizBody,
    success: created(AttemptShape, { message: 'Attempt recorded' }),
    failures: [lessonNotFound, quizNotFound, quizChanged, notEnrolled],
    load: ({ params, caller }) => lessons.studied(params.lessonId, caller),
    handle: ({ loaded: { lesson, course }, caller, body, idempotency }) =>
      quizzes.attempt({ lessonId: lesson.id, course }, caller.userId, body, idempotency),
  }),
];
