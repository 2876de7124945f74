import { Type } from 'typebox';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { LiveMessage } from '../../kernel/live/live.ts';
import { eventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { confidential, ObjectIdShape, readableText } from '../../kernel/operations/shapes.ts';
import { IsQuiet } from '../notifications/contract.ts';

export const MessageText = confidential(readableText(4000, { examples: ['Gold breaks out!'] }));

/** In UTF-16 code units. */
export const MAX_CLIENT_ID_LENGTH = 64;
export const ClientMessageId = Type.String({
  minLength: 1,
  maxLength: MAX_CLIENT_ID_LENGTH,
  description: 'An id that you choose. A message sent again with the same id is stored once',
  examples: ['b1946ac9'],
});

export const roomNotFound = notFound('Chatroom');
export const notMember = failure(403, 'NOT_A_MEMBER', 'You are not a member of this chatroom');
export const banned = failure(403, 'BANNED', 'You are banned from this chatroom');
export const creatorStays = failure(
  409,
  'CREATOR_CANNOT_LEAVE',
  'The creator cannot leave or be removed from the chatroom; delete the chatroom instead',
);

/** A portion of the events of a room, and how to read the next one, if there is one. */
export interface Portion {
  /** In the order of the events. */
  messages: LiveMessage[];
  next: (() => Promise<Portion>) | undefined;
}

/** The events of a room after a given event number: the first portion, and the totals. */
export interface Missed extends Portion {
  /** Number of events in all portions. */
  count: number;
  /** Number of the room's newest event. */
  seq: number;
  /** Reports that earlier messages were omitted; undefined if none were. */
  gap: LiveMessage | undefined;
}

/** An educator's room, as shown to followers. */
export interface EducatorRoom {
  id: ObjectId;
  name: string;
  description: string;
  rules: string[];
  memberCount: number;
  lastMessage: { content: string; timestamp: Date } | null;
}

/** A member who subscribes to a room. */
interface Reader {
  roomId: ObjectId;
  caller: UserCaller;
}

/** A member sent a message in a room. */
export const messageSent = eventKind('chat.message-sent', {
  version: 1,
  data: Type.Object({ messageId: ObjectIdShape, roomId: ObjectIdShape, userId: ObjectIdShape }),
});

/** A room was created, changed or deleted. */
export const roomChanged = eventKind('chat.room-changed', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape }),
});

/** A public room was created. */
export const publicRoomCreated = eventKind('chat.public-room-created', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape, userId: ObjectIdShape, isQuiet: IsQuiet }),
});

/** A member was added to a room by somebody else. */
export const memberAdded = eventKind('chat.member-added', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape, userId: ObjectIdShape, addedBy: ObjectIdShape }),
});

/** A room has another owner; `from` is the former one, if they have handed it on themselves. */
export const roomHandedOn = eventKind('chat.room-handed-on', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape, userId: ObjectIdShape, from: Type.Optional(ObjectIdShape) }),
});

/** Messages wait for a member of a room that is not public, who was elsewhere when they were sent. */
export const messagesWaiting = eventKind('chat.messages-waiting', {
  version: 1,
  data: Type.Object({ roomId: ObjectIdShape, userId: ObjectIdShape, fromUserId: ObjectIdShape }),
});

/** Chatrooms and their messages. */
export interface Chat {
  /**
   * Returns the room's newest event number and its number of members to somebody who is about to read it live, which is
   * recorded of staff. @throws 404, or 403 if the member may not read it
   */
  enter(roomId: ObjectId, caller: UserCaller): Promise<{ seq: number; memberCount: number }>;
  /** Returns the events of a room after an event number. */
  missed(roomId: ObjectId, after: number): Promise<Missed>;
  /** Returns the readers who may not, or may no longer, read their room; of staff it is recorded that they do. */
  excluded<R extends Reader>(readers: R[]): Promise<R[]>;
  /** Returns the room of an educator; creates it on first use, with the name that `nameOf` reads in its transaction. */
  roomOfEducator(educatorId: ObjectId, nameOf: (tx: Transaction) => Promise<string>): Promise<ObjectId>;
  /**
   * Renames the room of an educator in the transaction that changes their name, unless the room has been given a name of
   * its own.
   */
  renameRoomOfEducator(
    tx: Transaction,
    educatorId: ObjectId,
    names: { from: string; to: string },
  ): Promise<void>;
  /**
   * Returns the room of an educator if the caller may read it.
   * @throws 403, 404
   */
  educatorRoom(roomId: ObjectId, caller: UserCaller): Promise<EducatorRoom>;
  /** @throws 403, 404 */
  join(roomId: ObjectId, caller: UserCaller): Promise<void>;
  /** @throws 403, 404, 409 */
  leave(roomId: ObjectId, caller: UserCaller): Promise<void>;
  /** Returns the newest event numbers of these rooms. */
  seqs(roomIds: ObjectId[]): Promise<Map<ObjectId, number>>;
}
