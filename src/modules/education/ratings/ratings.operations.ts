import { Type } from 'typebox';
import { member } from '../../../kernel/operations/access.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { blocked, muted } from '../../moderation/contract.ts';
import { courseNotFound } from '../contract.ts';
import type { CourseRules } from '../courses/courses.ts';
import { notEnrolled, ownCourse, ratingNotFound } from '../failures.ts';
import {
  CourseReview,
  DeleteCourseRatingResult,
  ListCourseRatingsQuery,
  RatingInBody,
  RatingShape,
} from './ratings.schemas.ts';
import type { RatingRules } from './ratings.ts';

const tag = 'Studying';
const params = Type.Object({ courseId: pathId('course') });

interface Deps {
  courses: CourseRules;
  ratings: RatingRules;
}

export const ratingOperations = ({ courses, ratings }: Deps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/courses/:courseId/ratings',
    id: 'listCourseRatings',
    tag,
    summary: 'List the ratings and reviews of a course, newest first',
    description: 'A rating that is changed keeps its place.',
    access: member,
    params,
    query: ListCourseRatingsQuery,
    success: pageOf(CourseReview),
    failures: [courseNotFound],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, query }) => ratings.pageOf(course, momentPageOf(query)),
  }),
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
    failures: [courseNotFound, notEnrolled, ownCourse, muted, blocked],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ loaded: { course }, caller, body }) => ratings.put(course, caller, body),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/courses/:courseId/rating',
    id: 'deleteCourseRating',
    tag,
    summary: 'Remove your rating of a course',
    access: member,
    params,
    success: ok(DeleteCourseRatingResult, { message: 'Rating removed' }),
    failures: [courseNotFound, notEnrolled, ratingNotFound],
    load: ({ params, caller }) => courses.visible(params.courseId, caller),
    handle: ({ params, caller }) => ratings.delete(params.courseId, caller.userId),
  }),
];
