import type { ObjectId } from '../../../kernel/ids.ts';

export interface Enrolment {
  courseId: ObjectId;
  userId: ObjectId;
  paidKeys: number;
  transactionId: string | null;
  enrolledAt: Date;
  leftAt: Date | null;
  completedAt: Date | null;
}
