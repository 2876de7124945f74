import type { ObjectId } from '../../../kernel/ids.ts';

export const STORY_MEDIA_TYPES = ['image', 'video'] as const;

/** A picture or short video of an educator, until it expires. */
export interface Story {
  id: ObjectId;
  educatorId: ObjectId;
  mediaType: (typeof STORY_MEDIA_TYPES)[number];
  mediaUrl: string;
  thumbnailUrl: string | null;
  /** In seconds. */
  duration: number;
  viewCount: number;
  createdAt: Date;
  expiresAt: Date;
}

/** A story, and whether the viewer has viewed it. */
export interface StoryOfViewer extends Story {
  viewed: boolean;
}

/** An educator in the feed of stories. */
export interface StoryGroup {
  educatorId: ObjectId;
  hasUnviewed: boolean;
}

/** A member's view of a story, by its id. */
export interface Viewing {
  id: ObjectId;
  userId: ObjectId;
}
