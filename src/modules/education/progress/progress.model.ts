import type { ObjectId } from '../../../kernel/ids.ts';

export interface LessonProgress {
  lessonId: ObjectId;
  positionSeconds: number;
  completed: boolean;
  completedAt: Date | null;
}

/** A member's progress in a lesson and its quiz. */
export interface StudiedLesson extends LessonProgress {
  hasQuiz: boolean;
  isQuizPassed: boolean;
}
