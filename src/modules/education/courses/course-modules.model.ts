import type { ObjectId } from '../../../kernel/ids.ts';

/** A group of lessons in a course. */
export interface CourseModule {
  id: ObjectId;
  courseId: ObjectId;
  title: string;
  order: number;
  lessonCount: number;
  duration: number;
}
