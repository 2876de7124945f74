// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List the lessons of a module in order. `GET /v1/lessons` For member. */
export const listLessons: Operation<{
  query: {
    moduleId: wire.ObjectId;
  };
  data: wire.LessonSummary[];
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listLessons',
  method: 'GET',
  path: '/v1/lessons',
};

/** Add a lesson to a module. `POST /v1/lessons` For educator, administrator. */
export const createLesson: Operation<{
  body: wire.CreateLessonBody;
  data: wire.Lesson;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'LESSON_TOO_LARGE' | 'MODULE_TOO_LARGE' | 'NOT_FOUND' | 'TOO_MANY_LESSONS' | 'TOO_MANY_LESSONS_IN_COURSE';
}> = {
  id: 'createLesson',
  method: 'POST',
  path: '/v1/lessons',
  isIdempotent: true,
};

/** Retrieve a lesson. `GET /v1/lessons/{lessonId}` For member. */
export const getLesson: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  data: wire.Lesson;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getLesson',
  method: 'GET',
  path: '/v1/lessons/{lessonId}',
  fill: filled,
};

/** Update, move or publish a lesson. `PUT /v1/lessons/{lessonId}` For educator, administrator. */
export const updateLesson: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.UpdateLessonBody;
  data: wire.Lesson;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'COURSE_NOT_READY' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'LESSON_TOO_LARGE' | 'MODULE_TOO_LARGE' | 'NOT_FOUND' | 'TOO_MANY_LESSONS';
}> = {
  id: 'updateLesson',
  method: 'PUT',
  path: '/v1/lessons/{lessonId}',
  fill: filled,
};

/** Delete a lesson with its video. `DELETE /v1/lessons/{lessonId}` For educator, administrator. */
export const deleteLesson: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'COURSE_NOT_READY' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteLesson',
  method: 'DELETE',
  path: '/v1/lessons/{lessonId}',
  fill: filled,
};
