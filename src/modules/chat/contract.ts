import { Type } from 'typebox';
import { eventKind } from '../../kernel/events.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { LiveMessage } from '../../kernel/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape, readableText } from '../../kernel/operations/shapes.ts';

export const MessageText = readableText(4000, { examples: ['Gold breaks out!'] });

export const ClientMessageId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Your own name of the message: sent twice, it is one',
  examples: ['b1946ac9'],
});

export const roomNotFound = notFound('Chatroom');
export const notMember = failure(403, 'NOT_A_MEMBER', 'You are not a member of this chatroom');
export const banned = failure(403, 'BANNED', 'You are banned from this chatroom');
export const creatorStays = failure(
  409,
  'CREATOR_CANNOT_LEAVE',
  'The creator of a chatroom stays in it; it can be deleted',
);

/** What happened in a room after a place in it. */
export interface Missed {
  /** In their order. */
  messages: LiveMessage[];
  /** The number of the room's newest message. */
  seq: number;
  /** What tells that there were more messages before these. */
  gap: LiveMessage | undefined;
}

/** A room as its educator's followers see it. */
export interface EducatorRoom {
  id: ObjectId;
  name: string;
  description: string;
  rules: string[];
  memberCount: number;
  lastMessage: { content: string; timestamp: Date } | null;
}

/** A member who reads a room. */
interface Reader {
  roomId: ObjectId;
  caller: UserCaller;
}

/** A member said something in a room. */
export const messageSent = eventKind('chat.message-sent', {
  version: 1,
  data: Type.Object({ messageId: ObjectIdShape, roomId: ObjectIdShape, userId: ObjectIdShape }),
});

/** A room was created, reads differently, or is gone. */
export const roomChanged = eventKind('chat.room-changed', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape }),
});

/** Chatrooms and their messages. */
export interface Chat {
  /** Returns the room's newest event number, for a member who may read it. @throws 404, 403 */
  enter(roomId: ObjectId, caller: UserCaller): Promise<{ seq: number; memberCount: number }>;
  /** Returns what happened in a room after an event number. */
  missed(roomId: ObjectId, after: number): Promise<Missed>;
  /** Returns the readers who may not, or may no longer, read their room. */
  excluded<R extends Reader>(readers: R[]): Promise<R[]>;
  /** Returns the one room of an educator, created when it is first asked for; its name by then is this one. */
  roomOfEducator(educatorId: ObjectId, name: string): Promise<ObjectId>;
  /** Returns the room of an educator, for a member who may read it. @throws 403, 404 */
  educatorRoom(roomId: ObjectId, caller: UserCaller): Promise<EducatorRoom>;
  /** @throws 403, 404 */
  join(roomId: ObjectId, caller: UserCaller): Promise<void>;
  /** @throws 403, 404, 409 */
  leave(roomId: ObjectId, caller: UserCaller): Promise<void>;
  /** Returns the newest event numbers of these rooms. */
  seqs(roomIds: ObjectId[]): Promise<Map<ObjectId, number>>;
}
