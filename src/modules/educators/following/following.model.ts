import type { ObjectId } from '../../../kernel/ids.ts';

export interface Follow {
  userId: ObjectId;
  educatorId: ObjectId;
  followedAt: Date;
}
