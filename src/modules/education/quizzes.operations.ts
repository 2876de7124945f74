import { Type } from 'typebox';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { educator, member } from '../../kernel/operations/access.ts';
import { pathId } from '../../kernel/operations/ids.ts';
import {
  created,
  LARGE_BODY_BYTES,
  type Operation,
  ok,
  operation,
} from '../../kernel/operations/operation.ts';
import { DateTime, ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { lessonNotFound, notEnrolled, quizNotFound } from './failures.ts';
import type { LessonRules } from './lessons.ts';
import type { QuizRules } from './quizzes.ts';

const tag = 'Quizzes';
const params = Type.Object({ lessonId: pathId('lesson') });
const MAX_QUESTIONS = 50;
const MAX_OPTIONS = 10;

const Indices = Type.Array(Type.Integer({ minimum: 0, maximum: MAX_OPTIONS - 1 }), {
  maxItems: MAX_OPTIONS,
  description: 'Indices of options, from 0',
  examples: [[0, 2]],
});
const PassingScore = Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent', examples: [80] });
const question = {
  text: Type.String({ minLength: 1, maxLength: 1000, examples: ['What is a bid?'] }),
  options: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 2,
    maxItems: MAX_OPTIONS,
    examples: [['A price to buy at', 'A price to sell at']],
  }),
};
const QuestionWithAnswers = Type.Object({
  ...question,
  correct: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_OPTIONS - 1 }), {
    minItems: 1,
    maxItems: MAX_OPTIONS,
    uniqueItems: true,
    description: 'Indices of the options that are right, from 0',
    examples: [[0]],
  }),
});
const questionsOf = <
  Shape extends typeof QuestionWithAnswers | ReturnType<typeof Type.Object<typeof question>>,
>(
  shape: Shape,
) => Type.Array(shape, { minItems: 1, maxItems: MAX_QUESTIONS });
const QuizInBody = Type.Object({ passingScore: PassingScore, questions: questionsOf(QuestionWithAnswers) });
const OwnQuiz = Type.Object(
  { lessonId: ObjectIdShape, ...QuizInBody.properties, updatedAt: DateTime },
  { $id: 'OwnQuiz' },
);
const QuizShape = Type.Object(
  {
    lessonId: ObjectIdShape,
    passingScore: PassingScore,
    questions: questionsOf(Type.Object(question)),
    updatedAt: DateTime,
  },
  { $id: 'Quiz' },
);
const AttemptShape = Type.Object(
  {
    score: Type.Number({ description: '0 to 100', examples: [50] }),
    passed: Type.Boolean(),
    attempt: Type.Integer({ description: 'From 1', examples: [1] }),
    correct: Type.Array(Type.Boolean(), {
      description: 'Question by question, whether it was answered right',
      examples: [[true, false]],
    }),
  },
  { $id: 'QuizAttempt' },
);

export const quizOperations = (lessons: LessonRules, quizzes: QuizRules): Operation[] => [
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/quiz',
    id: 'putQuiz',
    tag,
    summary: 'Set the quiz of a lesson',
    description: 'Its owner or an administrator. Attempts at the former quiz keep their results.',
    access: educator,
    params,
    body: QuizInBody,
    maxBodyBytes: LARGE_BODY_BYTES,
    success: ok(OwnQuiz, { message: 'Quiz saved' }),
    failures: [lessonNotFound, insufficientPermissions],
    load: ({ params, caller }) => lessons.managed(params.lessonId, caller),
    handle: ({ loaded, body }) => quizzes.put(loaded.id, body),
  }),
  operation({
    method: 'GET',
    path: '/v1/lessons/:lessonId/quiz',
    id: 'getQuiz',
    tag,
    summary: 'The quiz of a lesson, without its answers',
    access: member,
    params,
    success: ok(QuizShape),
    failures: [lessonNotFound, quizNotFound, notEnrolled],
    load: ({ params, caller }) => lessons.studied(params.lessonId, caller),
    handle: ({ loaded }) => quizzes.find(loaded.lesson.id),
  }),
  operation({
    method: 'POST',
    path: '/v1/lessons/:lessonId/quiz/attempts',
    id: 'attemptQuiz',
    tag,
    summary: 'Try a quiz',
    description: 'One list of option indices a question; it counts when just the right ones are in it.',
    access: member,
    params,
    body: Type.Object({ answers: Type.Array(Indices, { maxItems: MAX_QUESTIONS }) }),
    success: created(AttemptShape, { message: 'Attempt recorded' }),
    failures: [lessonNotFound, quizNotFound, notEnrolled],
    load: ({ params, caller }) => lessons.studied(params.lessonId, caller),
    handle: ({ loaded: { lesson, course }, caller, body }) =>
      quizzes.attempt(lesson.id, course, caller.userId, body.answers),
  }),
];
