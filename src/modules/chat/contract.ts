import { Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import type { LiveEvent } from '../../kernel/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';

export const MessageText = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: '\\S',
  examples: ['Gold breaks out!'],
});

export const ClientMessageId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Your own name of the message: sent twice, it is one',
  examples: ['b1946ac9'],
});

/** A message as its sender is told of it. */
interface SentMessage {
  messageId: ObjectId;
  chatroomId: ObjectId;
  seq: number;
  timestamp: Date;
  /** The message had been sent before. */
  duplicate: boolean;
}

/** What happened in a room after a place in it. */
export interface Missed {
  /** In their order. */
  events: LiveEvent[];
  /** The number of the room's newest event. */
  seq: number;
  /** There were more events before these. */
  isCut: boolean;
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

/** Chatrooms and their messages. */
export interface Chat {
  /** Returns the room's newest event number, for a member who may read it. @throws 404, 403 */
  enter(roomId: ObjectId, caller: UserCaller): Promise<{ seq: number; memberCount: number }>;
  /** Sends a message; resolves once it is committed. @throws 403, 404, 409, 429 */
  send(
    draft: { roomId: ObjectId; message: string; clientMessageId?: string },
    caller: UserCaller,
  ): Promise<SentMessage>;
  /** Returns what happened in a room after an event number. */
  missed(roomId: ObjectId, after: number): Promise<Missed>;
  /** Returns the readers who may not, or may no longer, read their room. */
  excluded<R extends Reader>(readers: R[]): Promise<R[]>;
  /** Returns the one public room of an educator, created when it is first asked for. */
  roomOfEducator(educatorId: ObjectId, name: string): Promise<EducatorRoom>;
  join(roomId: ObjectId, userId: ObjectId): Promise<void>;
  leave(roomId: ObjectId, userId: ObjectId): Promise<void>;
  /** Returns the newest event numbers of these rooms. */
  seqs(roomIds: ObjectId[]): Promise<Map<ObjectId, number>>;
}
