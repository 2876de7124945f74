import type { ObjectId } from '../../kernel/ids.ts';

export const REACTIONS = ['like', 'love', 'celebrate', 'insightful'] as const;

export type ReactionType = (typeof REACTIONS)[number];

export interface Post {
  id: ObjectId;
  communityId: ObjectId;
  userId: ObjectId;
  content: string;
  commentCount: number;
  reactionCount: number;
  createdAt: Date;
}

export interface Comment {
  id: ObjectId;
  postId: ObjectId;
  userId: ObjectId;
  content: string;
  createdAt: Date;
}

/** A post as a member sees it. */
export interface SeenPost extends Post {
  /** The member's reaction; null if they have none. */
  ownReaction: ReactionType | null;
}
