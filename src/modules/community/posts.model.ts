import type { ObjectId } from '../../kernel/ids.ts';

export const REACTIONS = ['like', 'love', 'celebrate', 'insightful'] as const;

export type ReactionType = (typeof REACTIONS)[number];

/** How many members gave each reaction. */
export type ReactionCounts = Record<ReactionType, number>;

export const NO_REACTIONS: ReactionCounts = { like: 0, love: 0, celebrate: 0, insightful: 0 };

export interface Post {
  id: ObjectId;
  communityId: ObjectId;
  userId: ObjectId;
  content: string;
  commentCount: number;
  reactionCount: number;
  createdAt: Date;
  /** Null until the text is changed. */
  editedAt: Date | null;
}

/** A post in a list of several communities. */
export interface PostAnywhere extends Post {
  communityName: string;
}

export interface Comment {
  id: ObjectId;
  postId: ObjectId;
  userId: ObjectId;
  content: string;
  createdAt: Date;
  /** Null until the text is changed. */
  editedAt: Date | null;
}

/** What a deleted comment leaves to do. */
export interface DeletedComment {
  createdAt: Date;
  /** The author of the post, who was notified of the comment. */
  postUserId: ObjectId;
}

/** A post as a member sees it. */
export interface SeenPost extends Post {
  reactions: ReactionCounts;
  /** The member's reaction; null if they have none. */
  ownReaction: ReactionType | null;
}
