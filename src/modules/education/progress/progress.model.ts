import type { ObjectId } from '../../../kernel/ids.ts';

export interface LessonProgress {
  lessonId: ObjectId;
  positionSeconds: number;
  completed: boolean;
  completedAt: Date | null;
}

/** A member's progress in a lesson, and when they were at its position. */
export interface SavedProgress extends LessonProgress {
  updatedAt: Date;
}

/** A member's progress in a lesson and its quiz. */
export interface StudiedLesson extends LessonProgress {
  hasQuiz: boolean;
  isQuizPassed: boolean;
}

/** A member's progress in a course, counted over its published lessons. */
export interface StudiedCourse {
  courseId: ObjectId;
  lessonsCompleted: number;
  lessonCount: number;
  quizzesPassed: number;
  quizCount: number;
  /** When the member last saved progress in a lesson, also in one that is hidden now; null if never. */
  lastStudiedAt: Date | null;
}
