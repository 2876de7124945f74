// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** List courses, newest first. `GET /v1/courses` For member. */
export const listCourses: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    category?: string;
    level?: 'beginner' | 'intermediate' | 'advanced';
    status?: 'draft' | 'published' | 'archived';
    instructorId?: wire.ObjectId;
  };
  data: wire.CourseSummary[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID';
}> = {
  id: 'listCourses',
  method: 'GET',
  path: '/v1/courses',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** Create a course. `POST /v1/courses` For educator, administrator. */
export const createCourse: Operation<{
  body: wire.CreateCourseBody;
  data: wire.Course;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'COURSE_NOT_READY' | 'FORBIDDEN' | 'JSON_TOO_DENSE' | 'TOO_MANY_COURSES';
}> = {
  id: 'createCourse',
  method: 'POST',
  path: '/v1/courses',
  isIdempotent: true,
};

/** Retrieve a course with its modules. `GET /v1/courses/{courseId}` For member. */
export const getCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.Course;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getCourse',
  method: 'GET',
  path: '/v1/courses/{courseId}',
  fill: filled,
};

/** Update a course. `PUT /v1/courses/{courseId}` For educator, administrator. */
export const updateCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  body: wire.UpdateCourseBody;
  data: wire.Course;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'COURSE_NOT_READY' | 'FORBIDDEN' | 'INVALID_ID' | 'JSON_TOO_DENSE' | 'NOT_FOUND';
}> = {
  id: 'updateCourse',
  method: 'PUT',
  path: '/v1/courses/{courseId}',
  fill: filled,
};

/** Delete a course. `DELETE /v1/courses/{courseId}` For educator, administrator. */
export const deleteCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeleteCourseResult;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteCourse',
  method: 'DELETE',
  path: '/v1/courses/{courseId}',
  fill: filled,
};

/** Pass a course on to another educator. `PUT /v1/courses/{courseId}/owner` For administrator. */
export const changeCourseOwner: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  body: wire.ChangeCourseOwnerBody;
  data: wire.Course;
  code: AnyCode | TokenCode | WriteCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'TOO_MANY_COURSES';
}> = {
  id: 'changeCourseOwner',
  method: 'PUT',
  path: '/v1/courses/{courseId}/owner',
  fill: filled,
};

/** List the modules of a course in order. `GET /v1/courses/{courseId}/modules` For member. */
export const listCourseModules: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.CourseModule[];
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listCourseModules',
  method: 'GET',
  path: '/v1/courses/{courseId}/modules',
  fill: filled,
};

/** Add a module to a course. `POST /v1/courses/{courseId}/modules` For educator, administrator. */
export const createCourseModule: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  body: wire.CreateCourseModuleBody;
  data: wire.CourseModule;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND' | 'TOO_MANY_MODULES';
}> = {
  id: 'createCourseModule',
  method: 'POST',
  path: '/v1/courses/{courseId}/modules',
  fill: filled,
  isIdempotent: true,
};

/** Rename or move a module. `PUT /v1/courses/{courseId}/modules/{moduleId}` For educator, administrator. */
export const updateCourseModule: Operation<{
  params: {
    courseId: wire.ObjectId;
    moduleId: wire.ObjectId;
  };
  body: wire.UpdateCourseModuleBody;
  data: wire.CourseModule;
  code: AnyCode | TokenCode | WriteCode | 'CHANGED_MEANWHILE' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'updateCourseModule',
  method: 'PUT',
  path: '/v1/courses/{courseId}/modules/{moduleId}',
  fill: filled,
};

/** Delete a module with its lessons. `DELETE /v1/courses/{courseId}/modules/{moduleId}` For educator, administrator. */
export const deleteCourseModule: Operation<{
  params: {
    courseId: wire.ObjectId;
    moduleId: wire.ObjectId;
  };
  body: wire.ReasonBody;
  data: wire.DeletedRecord;
  code: AnyCode | TokenCode | WriteCode | 'COURSE_NOT_READY' | 'FORBIDDEN' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'deleteCourseModule',
  method: 'DELETE',
  path: '/v1/courses/{courseId}/modules/{moduleId}',
  fill: filled,
};

/** Retrieve the modules of a course with their lessons and your progress. `GET /v1/courses/{courseId}/outline` For member. */
export const getCourseOutline: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.CourseOutline;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'getCourseOutline',
  method: 'GET',
  path: '/v1/courses/{courseId}/outline',
  fill: filled,
};
