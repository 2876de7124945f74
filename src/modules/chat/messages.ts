import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Page, PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Profile } from '../identity/contract.ts';
import type { Allowances } from './allowances.ts';
import { messagesLost } from './chat.live.ts';
import { type Missed, roomNotFound } from './contract.ts';
import { messageNotFound, muted } from './failures.ts';
import type { Message, MessageStore } from './messages.store.ts';
import { isModerator } from './room-access.ts';
import type { Room, RoomStore } from './rooms.store.ts';
import { liveMessageOf, tellRooms } from './telling.ts';

/** A message with its author. */
export interface MessageView extends Message {
  user: Omit<Profile, 'userId'>;
}

interface MessageDeps {
  store: MessageStore;
  rooms: RoomStore;
  database: Database;
  live: Live;
  take: Allowances;
  profilesOf: (userIds: ObjectId[]) => Promise<Profile[]>;
  clock: Clock;
}

const NOBODY: MessageView['user'] = { firstName: '', lastName: '', avatar: null, rankBadgeUrl: null };
/** Maximum number of missed events returned; clients that missed more read the rest page by page. */
const MAX_MISSED = 300;

/** Reading, editing and deleting messages. */
export function messageRules({ store, rooms, database, live, take, profilesOf, clock }: MessageDeps) {
  async function withAuthors(messages: Message[]): Promise<MessageView[]> {
    const userIds = [...new Set(messages.map(({ userId }) => userId))];
    const known = new Map((await profilesOf(userIds)).map(({ userId, ...user }) => [userId, user]));
    return messages.map((message) => ({ ...message, user: known.get(message.userId) ?? NOBODY }));
  }

  /** Changes a message under the lock of its room, and notifies the room. */
  async function change(
    roomId: ObjectId,
    id: ObjectId,
    work: (tx: Transaction, message: Message, room: Room, seq: number) => Promise<Message>,
  ): Promise<Message> {
    const changed = await database.transaction(async (tx) => {
      const [room] = await rooms.lock(tx, [roomId]);
      if (!room) throw roomNotFound();
      const message = await store.find(roomId, id, tx);
      if (!message) throw messageNotFound();
      return work(tx, message, room, room.lastSeq + 1);
    });
    await tellRooms(live, [changed]);
    return changed;
  }

  return {
    /**
     * Returns messages, newest first: a page, or those before or after a message.
     * @throws messageNotFound when that message is not in this room
     */
    async pageOf(
      roomId: ObjectId,
      request: PageRequest,
      { before, after }: { before?: ObjectId; after?: ObjectId },
    ): Promise<Page<MessageView>> {
      const cursor = before ?? after;
      if (cursor === undefined) {
        const { items, total } = await store.pageOf(roomId, request);
        return { ...request, items: await withAuthors(items), total };
      }
      const [seq, total] = await Promise.all([store.seqOf(roomId, cursor), store.count(roomId)]);
      if (seq === undefined) throw messageNotFound();
      const place = before === undefined ? { after: seq } : { before: seq };
      const items = await store.nextTo(roomId, place, request.limit);
      return { page: 1, limit: request.limit, items: await withAuthors(items), total };
    },
    /** @throws messageNotFound, insufficientPermissions except for the author, muted, tooManyMessages */
    async edit(roomId: ObjectId, id: ObjectId, text: string, caller: UserCaller): Promise<Message> {
      await take('edit', caller.userId);
      return change(roomId, id, async (tx, message, _room, seq) => {
        if (message.userId !== caller.userId) throw insufficientPermissions();
        const at = new Date(clock.now());
        const [membership] = await rooms.memberships([{ roomId, userId: caller.userId }], tx);
        if (membership?.mutedUntil && membership.mutedUntil > at) throw muted();
        await store.edit(tx, message, text, seq, at);
        return { ...message, message: text, changedSeq: seq, editedAt: at };
      });
    },
    /** @throws messageNotFound, insufficientPermissions except for the author, the room's creator and moderators */
    delete: (roomId: ObjectId, id: ObjectId, caller: UserCaller): Promise<Message> =>
      change(roomId, id, async (tx, message, room, seq) => {
        const may = [message.userId, room.createdBy].includes(caller.userId) || isModerator(caller);
        if (!may) throw insufficientPermissions();
        const at = new Date(clock.now());
        await store.delete(tx, message, caller.userId, seq, at);
        return { ...message, changedSeq: seq, deletedAt: at };
      }),
    /** @throws messageNotFound */
    async find(roomId: ObjectId, id: ObjectId): Promise<Message> {
      const message = await store.find(roomId, id);
      if (!message) throw messageNotFound();
      return message;
    },
    /** Returns the newest few hundred events of a room after an event number. */
    async missed(roomId: ObjectId, after: number): Promise<Missed> {
      const found = await store.changesAfter(roomId, after, MAX_MISSED + 1);
      const seq = found[0]?.changedSeq ?? after;
      const newest = found.slice(0, MAX_MISSED).reverse();
      return {
        messages: newest.map((message) => liveMessageOf(message, after)),
        seq,
        gap: found.length > MAX_MISSED ? messagesLost({ chatroomId: roomId, after }) : undefined,
      };
    },
  };
}

export type MessageRules = ReturnType<typeof messageRules>;
