import { Type } from 'typebox';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { lessonNotFound, notEnrolled } from '../failures.ts';
import type { LessonRules } from '../lessons/lessons.ts';
import type { EnrolledCourses } from './enrolled-courses.ts';
import {
  CourseProgressShape,
  EnrolledCourse,
  LessonProgressShape,
  ListEnrolledCoursesQuery,
  ProgressInBody,
} from './progress.schemas.ts';
import type { ProgressRules } from './progress.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });
const lessonParams = Type.Object({ lessonId: pathId('lesson') });

interface Deps {
  courses: CourseRules;
  lessons: LessonRules;
  progress: ProgressRules;
  enrolled: EnrolledCourses;
}

export const progressOperations = ({ courses, lessons, progress, enrolled }: Deps): Operation[] => [
  operation({
    method: 'PUT',
    path: '/v1/lessons/:lessonId/progress',
    id: 'updateLessonProgress',
    tag,
    summary: 'Save your progress in a lesson',
    description:
      'A completed lesson stays completed; `completed: false` is ignored. What is sent late, such as from the queue of a device that was offline, should say by `at` when it was: it then overwrites no newer position, and the answer is what is stored.',
    access: member,
    params: lessonParams,
    body: ProgressInBody,
    success: ok(LessonProgressShape, { message: 'Progress saved' }),
    failures: [lessonNotFound, notEnrolled],
    load: ({ params, caller }) => lessons.visible(params.lessonId, caller),
    faults: ({ body }) => progress.faultsOf(body),
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
    handle: ({ query, caller }) => enrolled.pageOf(momentPageOf(query), caller),
  }),
];
