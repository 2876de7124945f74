import type { ObjectId } from '../../kernel/ids.ts';

export interface Block {
  userId: ObjectId;
  blockedAt: Date;
}
