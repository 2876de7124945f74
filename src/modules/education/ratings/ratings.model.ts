import type { ObjectId } from '../../../kernel/ids.ts';

export interface Rating {
  id: ObjectId;
  courseId: ObjectId;
  userId: ObjectId;
  rating: number;
  review: string | null;
  createdAt: Date;
  updatedAt: Date;
}
