// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import { filled } from '../../paths.ts';
import type * as wire from '../wire.ts';

/** Enrol in a course. `POST /v1/courses/{courseId}/enroll` For member. */
export const enrollInCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  query: {
    /** The most Keys that you agree to pay; any price by default */
    maxKeys?: number;
  };
  body: wire.EnrollInCourseBody;
  data: wire.Enrolment;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode | 'BALANCE_LIMIT_EXCEEDED' | 'COURSE_NOT_OPEN' | 'EMAIL_NOT_VERIFIED' | 'INSUFFICIENT_BALANCE' | 'INVALID_ID' | 'NOT_FOUND' | 'NO_EXCHANGE_RATE' | 'PRICE_CHANGED' | 'RECIPIENT_UNAVAILABLE' | 'STEP_UP_REQUIRED' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_FOUND';
}> = {
  id: 'enrollInCourse',
  method: 'POST',
  path: '/v1/courses/{courseId}/enroll',
  fill: filled,
  isIdempotent: true,
};

/** Leave a course. `DELETE /v1/courses/{courseId}/enroll` For member. */
export const leaveCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.LeaveCourseResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'leaveCourse',
  method: 'DELETE',
  path: '/v1/courses/{courseId}/enroll',
  fill: filled,
};

/** Save your progress in a lesson. `PUT /v1/lessons/{lessonId}/progress` For member. */
export const updateLessonProgress: Operation<{
  params: {
    lessonId: wire.ObjectId;
  };
  body: wire.UpdateLessonProgressBody;
  data: wire.LessonProgress;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'updateLessonProgress',
  method: 'PUT',
  path: '/v1/lessons/{lessonId}/progress',
  fill: filled,
};

/** Retrieve your progress in a course. `GET /v1/courses/{courseId}/progress` For member. */
export const getCourseProgress: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.CourseProgress;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'getCourseProgress',
  method: 'GET',
  path: '/v1/courses/{courseId}/progress',
  fill: filled,
};

/** List the courses you are enrolled in, newest enrolment first. `GET /v1/courses/enrolled` For member. */
export const listEnrolledCourses: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `enrolledAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.EnrolledCourse[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listEnrolledCourses',
  method: 'GET',
  path: '/v1/courses/enrolled',
  pages: pagesOf,
  cursor: ['before', 'enrolledAt', 'id'],
};

/** List the ratings and reviews of a course, newest first. `GET /v1/courses/{courseId}/ratings` For member. */
export const listCourseRatings: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `createdAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.CourseReview[];
  paged: true;
  code: AnyCode | TokenCode | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'listCourseRatings',
  method: 'GET',
  path: '/v1/courses/{courseId}/ratings',
  fill: filled,
  pages: pagesOf,
  cursor: ['before', 'createdAt', 'userId'],
};

/** Rate a course that you are enrolled in. `PUT /v1/courses/{courseId}/rating` For member. */
export const rateCourse: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  body: wire.RateCourseBody;
  data: wire.CourseRating;
  code: AnyCode | TokenCode | WriteCode | 'BLOCKED' | 'INVALID_ID' | 'MUTED' | 'NOT_ENROLLED' | 'NOT_FOUND' | 'OWN_COURSE';
}> = {
  id: 'rateCourse',
  method: 'PUT',
  path: '/v1/courses/{courseId}/rating',
  fill: filled,
};

/** Remove your rating of a course. `DELETE /v1/courses/{courseId}/rating` For member. */
export const deleteCourseRating: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.DeleteCourseRatingResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'deleteCourseRating',
  method: 'DELETE',
  path: '/v1/courses/{courseId}/rating',
  fill: filled,
};

/** Retrieve your certificate of a course. `GET /v1/courses/{courseId}/certificate` For member. */
export const getCourseCertificate: Operation<{
  params: {
    courseId: wire.ObjectId;
  };
  data: wire.Certificate;
  code: AnyCode | TokenCode | 'COURSE_NOT_COMPLETED' | 'INVALID_ID' | 'NOT_ENROLLED' | 'NOT_FOUND';
}> = {
  id: 'getCourseCertificate',
  method: 'GET',
  path: '/v1/courses/{courseId}/certificate',
  fill: filled,
};

/** List your certificates, newest completion first. `GET /v1/certificates` For member. */
export const listOwnCertificates: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `completedAt` and `certificateId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.Moment;
  };
  data: wire.Certificate[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listOwnCertificates',
  method: 'GET',
  path: '/v1/certificates',
  pages: pagesOf,
  cursor: ['before', 'completedAt', 'certificateId'],
};

/** Verify a certificate. `GET /v1/certificates/{certificateId}` For client. */
export const verifyCertificate: Operation<{
  params: {
    certificateId: wire.ObjectId;
  };
  data: wire.Certificate;
  code: AnyCode | 'API_KEY_REQUIRED' | 'INVALID_API_KEY' | 'INVALID_ID' | 'NOT_FOUND';
}> = {
  id: 'verifyCertificate',
  method: 'GET',
  path: '/v1/certificates/{certificateId}',
  fill: filled,
  isOpen: true,
};
