import { Type } from 'typebox';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { answer, created, type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import { emailNotVerified } from '../../../kernel/operations/verified-email.ts';
import { noExchangeRate, TRANSFER_FAILURES } from '../../wallet/contract.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { mayLeave, mayTryToEnrol } from '../courses/viewing.ts';
import { courseNotOpen, notEnrolled, priceChanged } from '../failures.ts';
import type { EnrollingRules } from './enrolling.ts';
import { EnrolInput, EnrolmentShape, LeftCourse } from './enrolments.schemas.ts';
import type { EnrolmentRules } from './enrolments.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });

interface Deps {
  courses: CourseRules;
  enrolling: EnrollingRules;
  enrolments: EnrolmentRules;
}

export const enrolmentOperations = ({ courses, enrolling, enrolments }: Deps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/courses/:courseId/enroll',
    id: 'enrollInCourse',
    tag,
    summary: 'Enrol in a course',
    description:
      'A priced course is paid from your wallet to its instructor in the same transaction as the enrolment. If you are already enrolled, the existing enrolment is returned with status 200. Enrolling again after leaving is free, also in a course that is archived or not open, but not in a draft. With `maxKeys`, in the query or the body, a course that has become dearer is not paid. A course whose educator lost the permission, was deactivated or deleted is not open.',
    access: member,
    params,
    query: EnrolInput,
    body: EnrolInput,
    idempotent: 'by-nature',
    success: created(EnrolmentShape, { message: 'Enrolled', alternative: 200 }),
    failures: [
      courseNotFound,
      courseNotOpen,
      () => priceChanged(25),
      noExchangeRate,
      emailNotVerified,
      ...TRANSFER_FAILURES,
    ],
    load: ({ params, caller }) => courses.visible(params.courseId, caller, mayTryToEnrol),
    handle: async ({ loaded: { course, viewer }, query, body, caller, idempotency }) => {
      const maxKeys = query.maxKeys ?? body.maxKeys;
      const asked = { caller, maxKeys, idempotency };
      const { enrolment, isNew } = await enrolling.enrol(course, viewer.mayManage, asked);
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
      'Your progress, your rating and a certificate are kept, and you can enrol again for free unless the course is a draft then. The price is not refunded. You are no longer notified of new lessons. Remove your rating first if it is not to stay: that takes an enrolment. A course that was taken back to draft can be left, too, and you can return only once it is published or archived.',
    access: member,
    params,
    success: ok(LeftCourse, { message: 'Left the course' }),
    failures: [courseNotFound, notEnrolled],
    load: ({ params, caller }) => courses.visible(params.courseId, caller, mayLeave),
    handle: ({ params, caller }) => enrolments.leave(params.courseId, caller.userId),
  }),
];
