import { Type } from 'typebox';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import { DateTime, InstantText, ObjectIdShape, readableText } from '../../../kernel/operations/shapes.ts';

const MAX_QUESTIONS = 50;

const MAX_OPTIONS = 10;

const Indices = Type.Array(Type.Integer({ minimum: 0, maximum: MAX_OPTIONS - 1 }), {
  maxItems: MAX_OPTIONS,
  description: 'Indices of options, from 0',
  examples: [[0, 2]],
});

const PassingScore = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The percentage needed to pass',
  examples: [80],
});

const question = {
  text: readableText(1000, { examples: ['What is a bid?'] }),
  options: Type.Array(readableText(300), {
    minItems: 2,
    maxItems: MAX_OPTIONS,
    examples: [['A price to buy at', 'A price to sell at']],
  }),
};

export const QuestionWithAnswers = Type.Object(
  {
    ...question,
    correct: Type.Array(Type.Integer({ minimum: 0, maximum: MAX_OPTIONS - 1 }), {
      minItems: 1,
      maxItems: MAX_OPTIONS,
      uniqueItems: true,
      description: 'Indices of the correct options, from 0',
      examples: [[0]],
    }),
  },
  { $id: 'QuestionWithAnswers' },
);

const questionsOf = <
  Shape extends typeof QuestionWithAnswers | ReturnType<typeof Type.Object<typeof question>>,
>(
  shape: Shape,
) => Type.Array(shape, { minItems: 1, maxItems: MAX_QUESTIONS });

const QuizInBody = Type.Object({
  passingScore: PassingScore,
  questions: questionsOf(QuestionWithAnswers),
});

export const PutQuizBody = Type.Object({ ...QuizInBody.properties, ...asRead });

export const OwnQuiz = Type.Object(
  { lessonId: ObjectIdShape, ...QuizInBody.properties, updatedAt: DateTime },
  { $id: 'OwnQuiz' },
);

export const QuizShape = Type.Object(
  {
    lessonId: ObjectIdShape,
    passingScore: PassingScore,
    questions: questionsOf(Type.Object(question)),
    updatedAt: DateTime,
  },
  { $id: 'Quiz' },
);

export const AttemptShape = Type.Object(
  {
    score: Type.Number({ description: '0 to 100', examples: [50] }),
    passed: Type.Boolean(),
    attempt: Type.Integer({ description: 'From 1', examples: [1] }),
    correct: Type.Array(Type.Boolean(), {
      description: 'For each question, whether it was answered correctly',
      examples: [[true, false]],
    }),
  },
  { $id: 'QuizAttempt' },
);

export const DeleteQuizResult = Type.Object({ lessonId: ObjectIdShape });

export const AttemptQuizBody = Type.Object({
  answers: Type.Array(Indices, { maxItems: MAX_QUESTIONS }),
  quizUpdatedAt: Type.Optional({
    ...InstantText,
    description:
      'The `updatedAt` of the quiz that you answer: if it has been changed since, the attempt is refused instead of marked',
    examples: ['2026-11-21T09:30:00.000Z'],
  }),
});
