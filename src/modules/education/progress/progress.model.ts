import type { ObjectId } from '../../../kernel/ids.ts';

export interface LessonProgress {
  lessonId: ObjectId;
  positionSeconds: number;
  completed: boolean;
  completedAt: Date | null;
}
