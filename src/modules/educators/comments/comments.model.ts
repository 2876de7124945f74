import type { ObjectId } from '../../../kernel/ids.ts';

/** What a deleted comment leaves to do. */
export interface DeletedComment {
  createdAt: Date;
  /** The educator of the announcement, who was notified of the comment. */
  educatorId: ObjectId;
}

export interface Comment {
  id: ObjectId;
  announcementId: ObjectId;
  userId: ObjectId;
  content: string;
  createdAt: Date;
  /** Null until the text is changed. */
  editedAt: Date | null;
}
