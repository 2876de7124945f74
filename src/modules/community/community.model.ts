import type { ObjectId } from '../../kernel/ids.ts';

export interface Community {
  id: ObjectId;
  name: string;
  description: string;
  createdBy: ObjectId;
  memberCount: number;
  postCount: number;
  createdAt: Date;
}
