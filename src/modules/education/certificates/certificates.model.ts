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

/** What a member has earned a certificate for. */
export type Earned = Pick<Certificate, 'courseId' | 'courseTitle' | 'completedAt'>;
