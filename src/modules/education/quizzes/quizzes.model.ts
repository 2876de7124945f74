import type { ObjectId } from '../../../kernel/ids.ts';

export interface Question {
  text: string;
  options: string[];
  /** Indices of the correct options. */
  correct: number[];
}

export interface Quiz {
  lessonId: ObjectId;
  /** In per cent. */
  passingScore: number;
  questions: Question[];
  updatedAt: Date;
}
