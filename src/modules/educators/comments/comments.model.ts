import type { ObjectId } from '../../../kernel/ids.ts';

export interface Comment {
  id: ObjectId;
  announcementId: ObjectId;
  userId: ObjectId;
  content: string;
  createdAt: Date;
}
