import type { ObjectId } from '../../../kernel/ids.ts';

/** A certificate, as issued. */
export interface Certificate {
  certificateId: ObjectId;
  courseId: ObjectId;
  userId: ObjectId;
  name: string;
  courseTitle: string;
  completedAt: Date;
}
