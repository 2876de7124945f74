import { Type } from 'typebox';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import { without } from '../../kernel/messaging/versions.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

/** The published courses of an educator. */
export interface Teaching {
  educatorId: ObjectId;
  courses: number;
  /** Mean of all ratings, to one decimal; 0 without ratings. */
  rating: number;
}

/** Courses, lessons, and members' progress in them. */
export interface Education {
  /**
   * Returns counts and ratings of the courses of these educators, from stored counts; educators who never published
   * one are left out.
   */
  teachingOf(educatorIds: ObjectId[]): Promise<Teaching[]>;
}

export const courseNotFound = notFound('Course');

/** Returns the topic of a course's enrolled members. */
export const topicOfCourse = (courseId: ObjectId): string => `course:${courseId}`;

/** The searchable content of a course has changed, or the course was deleted. */
export const courseChanged = eventKind('education.course-changed', {
  version: 1,
  data: Type.Object({ courseId: ObjectIdShape }),
});

/** A course was published: for the first time, or again after it was taken back. */
export const coursePublished = eventKind('education.course-published', {
  version: 1,
  data: Type.Object({ courseId: ObjectIdShape, instructorId: ObjectIdShape, isQuiet: IsQuiet }),
});

/** A lesson was created, changed or deleted. Not published for lessons that are deleted with their course. */
export const lessonChanged = eventKind('education.lesson-changed', {
  version: 1,
  data: Type.Object({ lessonId: ObjectIdShape }),
});

const memberInCourse = { userId: ObjectIdShape, courseId: ObjectIdShape };

/** A member enrolled in a course; `keys` is the price they paid. */
export const courseEnrolled = eventKind('education.course-enrolled', {
  version: 1,
  data: Type.Object({ ...memberInCourse, keys: Type.Integer() }),
});

/** A member began a lesson. */
export const lessonStarted = eventKind('education.lesson-started', {
  version: 1,
  data: Type.Object({ ...memberInCourse, lessonId: ObjectIdShape }),
});

/** A member completed a lesson. */
export const lessonCompleted = eventKind('education.lesson-completed', {
  version: 1,
  data: Type.Object({ ...memberInCourse, lessonId: ObjectIdShape }),
});

/** A member completed every published lesson of a course and passed its quizzes. */
export const courseCompleted = eventKind('education.course-completed', {
  version: 2,
  data: Type.Object(memberInCourse),
  upgrades: { 1: without('courseTitle') },
});

/** A certificate was issued to a member, or erased with the member. */
export const certificateChanged = eventKind('education.certificate-changed', {
  version: 1,
  data: Type.Object({ certificateId: ObjectIdShape }),
});

/** A lesson of a published course was published for the first time. */
export const lessonPublished = eventKind('education.lesson-published', {
  version: 2,
  data: Type.Object({
    courseId: ObjectIdShape,
    lessonId: ObjectIdShape,
    isQuiet: IsQuiet,
  }),
  upgrades: { 1: without('courseTitle', 'lessonTitle') },
});
