import type { ObjectId } from '../../../kernel/ids.ts';

export interface Comment {
  id: ObjectId;
  announcementId: ObjectId;
  userId: ObjectId;
  content: string;
  createdAt: Date;
  /** Null until the text is changed. */
  editedAt: Date | null;
}
