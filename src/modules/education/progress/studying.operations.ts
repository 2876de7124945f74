import { Type } from 'typebox';
import { anyClient, member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import {
  answer,
  created,
  type Operation,
  ok,
  operation,
  pageOf,
} from '../../../kernel/operations/operation.ts';
import { TRANSFER_FAILURES } from '../../wallet/contract.ts';
import type { CertificateRules } from '../certificates/certificates.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import type { EnrolmentRules } from '../enrolments/enrolments.ts';
import {
  certificateNotFound,
  courseNotCompleted,
  courseNotOpen,
  lessonNotFound,
  notEnrolled,
  ownCourse,
  priceChanged,
  ratingNotFound,
} from '../failures.ts';
import type { LessonRules } from '../lessons/lessons.ts';
import { mayLeave, mayTryToEnrol } from '../lessons/viewing.ts';
import type { RatingRules } from '../ratings/ratings.ts';
import type { ProgressRules } from './progress.ts';
import {
  CertificateShape,
  CourseProgressShape,
  EnrolledCourse,
  EnrolmentShape,
  EnrolQuery,
  LeftCourse,
  LessonProgressShape,
  ListEnrolledCoursesQuery,
  ProgressInBody,
  RatingInBody,
  RatingShape,
} from './studying.schemas.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });
const lessonParams = Type.Object({ lessonId: pathId('lesson') });

interface StudyingDeps {
  courses: CourseRules;
  lessons: LessonRules;
  enrolments: EnrolmentRules;
  progress: ProgressRules;
  ratings: RatingRules;
  certificates: CertificateRules;
}

export const enrolmentOperations = ({ courses, enrolments }: StudyingDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/courses/:courseId/enroll',
    id: 'enrollInCourse',
    tag,
    summary: 'Enrol in a course',
    description:
      'A priced course is paid from your wallet to its instructor in the same transaction as the enrolment. If you are already enrolled, the existing enrolment is returned with status 200. Enrolling again after leaving is free. With `maxKeys`, a course that has become dearer is not paid. A course whose educator lost the permission, was deactivated or deleted is not open.',
    access: member,
    params,
    query: EnrolQuery,
    success: created(EnrolmentShape, { message: 'Enrolled', alternative: 200 }),
    failures: [courseNotFound, courseNotOpen, priceChanged, ...TRANSFER_FAILURES],
    load: ({ params, caller }) => courses.visible(params.courseId, caller, mayTryToEnrol),
    handle: async ({ loaded: { course, viewer }, query, caller }) => {
      const { enrolment, isNew } = await enrolments.enrol(course, viewer.mayManage, caller, query.maxKeys);
      return isNew ? enrolment : answer(enrolment, { status: 200, message: 'You are already enrolled' });
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/courses/:courseId/enroll',
    id: 'leaveCourse',
    tag,
    summary: 'Leave a course',
    description:
      'Your progress is kept. The price is not refunded. You are no longer notified of new lessons. A course that was taken back to draft can be left, too.',
    access: member,
    params,
    success: ok(LeftCourse, { message: 'Left the course' }),
    failures: [courseNotFound, notEnrolled],
    load: ({ params, caller }) => courses.visible(params.courseId, caller, mayLeave),
    handle: ({ params, caller }) => enrolments.leave(params.courseId, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/courses/enrolled',
    id: 'listEnrolledCourses',
    tag,
    summary: 'List the courses you are enrolled in, newest enrolment first',
    description: 'A course that was taken back to draft is left out until it is published again.',
    access: member,
    query: ListEnrolledCoursesQuery,
    success: pageOf(EnrolledCourse),
    handle: ({ query, caller }) => enrolments.pageOf(query, caller),
  }),
];

export const progressOperations = ({ courses, lessons, progress }: StudyingDeps): Operation[] => [
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/progress',
    id: 'updateLessonProgress',
    tag,
    summary: 'Save your progress in a lesson',
    description: 'A completed lesson stays completed; `completed: false` is ignored.',
    access: member,
    params: lessonParams,
    body: ProgressInBody,
    success: ok(LessonProgressShape, { message: 'Progress saved' }),
    failures: [lessonNotFound, notEnrolled],
    load: ({ params, caller }) => lessons.visible(params.lessonId, caller),
    handle: ({ loaded: { lesson, course }, caller, body }) =>
      progress.update(lesson, course, caller.userId, body),
  }),
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/progress',
    id: 'getCourseProgress',
    tag,
    summary: 'Retrieve your progress in a course',
    access: member,
    params,
    success: ok(CourseProgressShape),
    failures: [courseNotFound, notEnrolled],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, caller }) => progress.ofCourse(course, caller.userId),
  }),
];

export const ratingOperations = ({ courses, ratings }: StudyingDeps): Operation[] => [
  operation({
    method: 'PUT',
    path: '/v1/courses/:courseId/rating',
    id: 'rateCourse',
    tag,
    summary: 'Rate a course that you are enrolled in',
    access: member,
    params,
    body: RatingInBody,
    success: ok(RatingShape, { message: 'Rating saved' }),
    failures: [courseNotFound, notEnrolled, ownCourse],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, caller, body }) => ratings.put(course, caller.userId, body),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/courses/:courseId/rating',
    id: 'deleteCourseRating',
    tag,
    summary: 'Remove your rating of a course',
    access: member,
    params,
    success: ok(LeftCourse, { message: 'Rating removed' }),
    failures: [courseNotFound, notEnrolled, ratingNotFound],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ params, caller }) => ratings.delete(params.courseId, caller.userId),
  }),
];

export const certificateOperations = ({ courses, certificates }: StudyingDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/certificate',
    id: 'getCourseCertificate',
    tag,
    summary: 'Retrieve your certificate of a course',
    description:
      'The certificate is issued once every published lesson is completed and every quiz passed. It does not change afterwards.',
    access: member,
    params,
    success: ok(CertificateShape),
    failures: [courseNotFound, notEnrolled, courseNotCompleted],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, caller }) => certificates.ofCourse(course, caller.userId),
  }),
  operation({
    method: 'GET',
    path: '/v1/certificates/:certificateId',
    id: 'verifyCertificate',
    tag,
    summary: 'Verify a certificate',
    access: anyClient,
    params: Type.Object({ certificateId: pathId('certificate') }),
    success: ok(CertificateShape),
    failures: [certificateNotFound],
    handle: ({ params }) => certificates.find(params.certificateId),
  }),
];
