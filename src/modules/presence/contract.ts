import type { ObjectId } from '../../kernel/ids.ts';

/**
 * Maximum number of members in a room whose ids are listed and whose arrivals and departures are announced: in larger
 * rooms each change would cost as many messages as there are members.
 */
export const MAX_LISTED = 200;

/** A member in a chatroom. */
export interface Present {
  roomId: ObjectId;
  userId: ObjectId;
}

/** The members currently in each chatroom, across all processes. */
export interface Presence {
  /** Records that one of the member's connections entered the room. */
  enter(present: Present): Promise<void>;
  /**
   * Records that one of the member's connections left; after the last one and a grace period, the member is offline.
   */
  leave(present: Present): void;
  /**
   * Returns the number of members in a room and, unless the room is too large for announcements, the ids of those whom this
   * member may see there: nobody whom they have blocked, or who has blocked them, and of the others nobody whom a block parts
   * from too many to be announced.
   */
  shownTo(userId: ObjectId, roomId: ObjectId): Promise<{ active: number; online?: ObjectId[] }>;
  /**
   * Returns the members whom a block parts from this one, who must not see what they do in a room; undefined if these are too
   * many to be left out, so that nobody may.
   */
  hiddenFrom(userId: ObjectId): Promise<ObjectId[] | undefined>;
  /** Returns the ids of all members in a room, as {@link shownTo} does; to be shown to nobody. */
  whoIsIn(roomId: ObjectId): Promise<{ active: number; online?: ObjectId[] }>;
  /** Returns how many members are in each of these rooms. */
  activeIn(roomIds: ObjectId[]): Promise<Map<ObjectId, number>>;
}
