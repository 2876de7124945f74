import type { ObjectId } from '../../kernel/ids.ts';

/** A member in a chatroom. */
export interface Present {
  roomId: ObjectId;
  userId: ObjectId;
}

/** Who is in which chatroom at the moment, across all processes. */
export interface Presence {
  /** One of the member's connections entered the room. */
  enter(present: Present): Promise<void>;
  /** One of the member's connections left. The member goes offline when none is left and a grace period has passed. */
  leave(present: Present): void;
  /** Returns how many members are in a room and, in rooms whose comings and goings are announced, who they are. */
  whoIsIn(roomId: ObjectId): Promise<{ active: number; online?: ObjectId[] }>;
  /** Returns how many members are in each of these rooms. */
  activeIn(roomIds: ObjectId[]): Promise<Map<ObjectId, number>>;
}
