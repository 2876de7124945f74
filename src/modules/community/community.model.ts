import type { ObjectId } from '../../kernel/ids.ts';
import type { Member } from '../identity/contract.ts';

export interface Community {
  id: ObjectId;
  name: string;
  description: string;
  createdBy: ObjectId;
  memberCount: number;
  postCount: number;
  createdAt: Date;
  /** When its texts were last changed. */
  updatedAt: Date;
}

/** A member of a community. */
export interface Joined {
  userId: ObjectId;
  joinedAt: Date;
}

/** Somebody who is banned from a community. */
export interface Banned {
  userId: ObjectId;
  bannedAt: Date;
}

/** A community as a member sees it. */
export interface SeenCommunity extends Community {
  creator: Member;
  /** Whether the member is in it. */
  joined: boolean;
}
