import type { ObjectId } from '../../kernel/ids.ts';

export const ROOM_TYPES = ['public', 'private', 'group'] as const;

/** Number of rooms shown in which a member is muted or banned. */
export const SHOWN_ROOMS = 100;

/** How many of the newest messages of a room are looked at for those that a member has not read. */
export const MOST_UNREAD = 100;

/** How many unread messages are counted over all chatrooms of a member: more do not change what a badge shows. */
export const MOST_UNREAD_IN_ALL = 1_000;

/** How many of the other members a list shows with a room that is not public, of which a client makes its title. */
export const SHOWN_MEMBERS = 3;

/** Maximum number of chatrooms of one creator: a block locks all rooms of both members. */
export const MAX_OWN_ROOMS = 1_000;

/** Maximum number of chatrooms of a member to whom another one is handed on, who must still be able to create some. */
export const MAX_RECEIVED_ROOMS = MAX_OWN_ROOMS / 2;

/** For how long the creator of a room cannot add somebody who has left it. */
export const LEFT_ALONE_DAYS = 30;

export type RoomType = (typeof ROOM_TYPES)[number];

export interface Room {
  id: ObjectId;
  name: string;
  description: string;
  /** Rules shown to its members. */
  rules: string[];
  type: RoomType;
  createdBy: ObjectId;
  slowModeSeconds: number;
  memberCount: number;
  lastSeq: number;
  createdAt: Date;
  /** When its texts, type, slow mode or owner were last changed. */
  updatedAt: Date;
}

/** A room that may have been deleted. */
export type EverRoom = Room & {
  deletedAt: Date | null;
  /** When it ceased to be public; null if it never did. */
  publicUntil: Date | null;
};

export type RoomDraft = Pick<Room, 'name' | 'description' | 'type'> & Partial<Pick<Room, 'rules'>>;

export type RoomChanges = Partial<Pick<Room, 'name' | 'description' | 'rules' | 'type' | 'slowModeSeconds'>>;

/** A member's relation to a room; a member who never had one has no row. */
export interface Membership {
  roomId: ObjectId;
  userId: ObjectId;
  isMember: boolean;
  mutedUntil: Date | null;
  bannedAt: Date | null;
  lastSentAt: Date | null;
  /** Whether the member does not want to be notified of new messages. */
  isQuiet: boolean;
  /** When the member left by themselves; null once they are in the room again. */
  leftAt: Date | null;
}

export interface RoomMember {
  userId: ObjectId;
  joinedAt: Date;
  mutedUntil: Date | null;
}

/** A member who is muted in a room or banned from it, whether they are in it or not. */
export interface Restriction {
  userId: ObjectId;
  mutedUntil: Date | null;
  bannedAt: Date | null;
}

/** A room that a member was in, and since when they may have notifications about it. */
export interface Left {
  roomId: ObjectId;
  notifiedSince: Date | null;
}
