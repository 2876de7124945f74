import type { ObjectId } from '../../../kernel/ids.ts';

/** A group of lessons in a course. */
export interface CourseModule {
  id: ObjectId;
  courseId: ObjectId;
  title: string;
  order: number;
  lessonCount: number;
  duration: number;
  /** When it was last renamed or moved; that others beside it were is no change of it. */
  updatedAt: Date;
}

/** What of a lesson tells which notifications it can have caused. */
export interface NoticedLesson {
  id: ObjectId;
  status: 'draft' | 'published';
  duration: number;
  createdAt: Date;
  /** When it was first published; null also for lessons published before this was recorded. */
  publishedAt: Date | null;
}
