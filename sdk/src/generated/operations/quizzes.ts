// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Set the quiz of a lesson. `PUT /v1/lessons/{lessonId}/quiz` For educator, administrator. */
export const putQuiz: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.PutQuizBody;
  data: wire.OwnQuiz;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'NOT_FOUND';
}> = {
  id: 'putQuiz',
  method: 'PUT',
  path: '/v1/lessons/{lessonId}/quiz',
  fill: filled,
};

/** Remove the quiz of a lesson. `DELETE /v1/lessons/{lessonId}/quiz` For educator, administrator. */
export const deleteQuiz: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeleteQuizResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteQuiz',
  method: 'DELETE',
  path: '/v1/lessons/{lessonId}/quiz',
  fill: filled,
};

/** Retrieve the quiz of a lesson, without the answers. `GET /v1/lessons/{lessonId}/quiz` For member. */
export const getQuiz: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  data: wire.Quiz;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'getQuiz',
  method: 'GET',
  path: '/v1/lessons/{lessonId}/quiz',
  fill: filled,
};

/** Retrieve the quiz of a lesson with the answers, to edit it. `GET /v1/lessons/{lessonId}/quiz/answers` For educator, administrator. */
export const getQuizWithAnswers: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  data: wire.OwnQuiz;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getQuizWithAnswers',
  method: 'GET',
  path: '/v1/lessons/{lessonId}/quiz/answers',
  fill: filled,
};

/** Submit an attempt at a quiz. `POST /v1/lessons/{lessonId}/quiz/attempts` For member. */
export const attemptQuiz: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.AttemptQuizBody;
  data: wire.QuizAttempt;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND' | 'QUIZ_CHANGED';
}> = {
  id: 'attemptQuiz',
  method: 'POST',
  path: '/v1/lessons/{lessonId}/quiz/attempts',
  fill: filled,
  isIdempotent: true,
};
