import { Type } from 'typebox';
import { eventKind } from '../../kernel/events.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** The published courses of an educator. */
export interface Teaching {
  educatorId: ObjectId;
  courses: number;
  /** The mean of all votes for them, to one decimal; 0 without votes. */
  rating: number;
}

/** Courses, lessons, and what members do with them. */
export interface Education {
  /** Returns what these educators teach, for each of them that ever published a course; kept, not counted. */
  teachingOf(educatorIds: ObjectId[]): Promise<Teaching[]>;
}

export const courseNotFound = notFound('Course');

/** The topic of those enrolled in a course. */
export const topicOfCourse = (courseId: ObjectId): string => `course:${courseId}`;

/** What can be found of a course has changed, or the course is gone. */
export const courseChanged = eventKind('education.course-changed', {
  version: 1,
  data: Type.Object({ courseId: ObjectIdShape }),
});

const memberInCourse = { userId: ObjectIdShape, courseId: ObjectIdShape };

/** A member enrolled in a course; `keys` is what they paid. */
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
  version: 1,
  data: Type.Object({ ...memberInCourse, courseTitle: Type.String() }),
});

/** A lesson of a published course was published. */
export const lessonPublished = eventKind('education.lesson-published', {
  version: 1,
  data: Type.Object({
    courseId: ObjectIdShape,
    courseTitle: Type.String(),
    lessonId: ObjectIdShape,
    lessonTitle: Type.String(),
  }),
});
