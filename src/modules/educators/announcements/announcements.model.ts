import type { ObjectId } from '../../../kernel/ids.ts';

export const ANNOUNCEMENT_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export const MULTIMEDIA_TYPES = ['image', 'video', 'audio', 'document', 'link'] as const;

/** An announcement of an educator; pinned ones are listed first. */
export interface Announcement {
  id: ObjectId;
  educatorId: ObjectId;
  title: string;
  content: string;
  category: string;
  priority: (typeof ANNOUNCEMENT_PRIORITIES)[number];
  pinned: boolean;
  tags: string[];
  multimedia: { type: (typeof MULTIMEDIA_TYPES)[number]; url: string }[];
  likes: number;
  comments: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The defaults of an announcement. */
export const NEW_ANNOUNCEMENT = {
  category: '',
  priority: 'normal',
  pinned: false,
  tags: [],
  multimedia: [],
  likes: 0,
  comments: 0,
} satisfies Partial<Announcement>;

/** A member's like of an announcement, by its id. */
export interface Like {
  id: ObjectId;
  userId: ObjectId;
}
