import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { Failure, serviceUnavailable } from '../../kernel/failures.ts';
import { gather } from '../../kernel/gather.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { Cache, Window } from '../../kernel/shared/shared.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { tellRooms } from './events.ts';
import {
  banned,
  messageIdReused,
  muted,
  notMember,
  roomNotFound,
  slowMode,
  tooManyMessages,
} from './failures.ts';
import type { Message, MessageStore } from './messages.store.ts';
import type { Membership, Room, RoomStore } from './rooms.store.ts';

/** Part 2, Limits: of one member, over HTTP and the WebSocket together. */
const RATE: Window = { name: 'minute', lengthMs: MINUTE_MS, limit: 100 };
const MOST_TOGETHER = 200;

export interface Draft {
  roomId: ObjectId;
  userId: ObjectId;
  message: string;
  /** What the client calls it: the same again is the same message. */
  clientId: string | null;
  /** Moderators are never muted or slowed. */
  isModerator: boolean;
}

interface Sent extends Message {
  /** It was sent before; nothing happened now. */
  isRepeated: boolean;
}

interface SendingNeeds {
  rooms: RoomStore;
  messages: MessageStore;
  database: Database;
  cache: Cache;
  live: Live;
  clock: Clock;
  newId: NewId;
}

/** What those who speak at once are judged by. */
interface Known {
  rooms: Map<ObjectId, Room>;
  memberships: Map<string, Membership>;
  repeated: Map<string, Message>;
}

const keyOf = ({ roomId, userId }: { roomId: ObjectId; userId: ObjectId }): string => roomId + userId;
const clientKeyOf = (one: Pick<Draft, 'roomId' | 'userId' | 'clientId'>): string => keyOf(one) + one.clientId;

/**
 * Sends messages. Those that come together are one transaction (as transfers of Keys are); each is judged by itself.
 * What is answered is committed, and then told to those who are connected.
 */
export function sending({ rooms, messages, database, cache, live, clock, newId }: SendingNeeds) {
  async function know(tx: Transaction, drafts: Draft[]): Promise<Known> {
    const roomIds = [...new Set(drafts.map(({ roomId }) => roomId))].sort();
    const named = drafts.filter(({ clientId }) => clientId !== null);
    const [locked, memberships, repeated] = await Promise.all([
      rooms.lock(tx, roomIds),
      rooms.memberships(drafts, tx),
      named.length > 0 ? messages.byClientId(tx, named) : [],
    ]);
    return {
      rooms: new Map(locked.map((room) => [room.id, room])),
      memberships: new Map(memberships.map((one) => [keyOf(one), one])),
      repeated: new Map(repeated.map((one) => [clientKeyOf(one), one])),
    };
  }

  const send = gather<Draft, Sent>(
    async (drafts) => {
      const at = new Date(clock.now());
      const { outcomes, added } = await database.transaction(async (tx) => {
        const known = await know(tx, drafts);
        const outcomes = drafts.map((draft) => decide(draft, known, at, newId));
        const added = outcomes.filter((one): one is Sent => !(one instanceof Failure) && !one.isRepeated);
        const strangers = added.filter((one) => !known.memberships.get(keyOf(one))?.isMember);
        const slowed = added.filter(({ roomId }) => known.rooms.get(roomId)?.slowModeSeconds);
        if (added.length > 0) messages.insert(tx, added, at);
        if (strangers.length > 0) await rooms.join(tx, strangers, at);
        if (slowed.length > 0) messages.touch(tx, slowed, at);
        return { outcomes, added };
      });
      await tellRooms(live, added);
      return outcomes;
    },
    // One lane: what is sent first is first in its room.
    { most: MOST_TOGETHER, lanes: 1, waiting: 5_000, overflow: serviceUnavailable },
  );

  /**
   * @throws roomNotFound, notMember, banned, muted, slowMode, tooManyMessages, messageIdReused
   */
  return async (draft: Draft): Promise<Sent> => {
    const nowMs = clock.now();
    const { admitted, windows } = await cache.admit(`chat:${draft.userId}`, [RATE], nowMs);
    if (!admitted) {
      const resetAtMs = windows[0]?.resetAtMs ?? nowMs + MINUTE_MS;
      throw tooManyMessages(Math.max(1, Math.ceil((resetAtMs - nowMs) / SECOND_MS)));
    }
    return send(draft);
  };
}

/** Gives a message its place in its room, unless it may not be said, or was said before; what follows sees it. */
function decide(draft: Draft, known: Known, at: Date, newId: NewId): Sent | Failure {
  const { roomId, userId, message, clientId } = draft;
  // First: what stands already is acknowledged, whatever its author may say now.
  const before = clientId === null ? undefined : known.repeated.get(clientKeyOf(draft));
  if (before) return before.message === message ? { ...before, isRepeated: true } : messageIdReused();
  const refusal = judge(draft, known, at);
  if (refusal) return refusal;
  const room = known.rooms.get(roomId) as Room;
  const seq = ++room.lastSeq;
  const sent: Message = {
    ...{ id: newId(), roomId, userId, message, clientId, seq, changedSeq: seq },
    ...{ createdAt: at, editedAt: null, deletedAt: null },
  };
  if (clientId !== null) known.repeated.set(clientKeyOf(draft), sent);
  const membership = known.memberships.get(keyOf(draft));
  if (membership) membership.lastSentAt = at;
  return { ...sent, isRepeated: false };
}

/** Whether somebody may say this now; why not, if so. */
function judge(draft: Draft, { rooms, memberships }: Known, at: Date): Failure | undefined {
  const room = rooms.get(draft.roomId);
  if (!room) return roomNotFound();
  const membership = memberships.get(keyOf(draft));
  if (membership?.bannedAt) return banned();
  if (!membership?.isMember && room.type !== 'public') return notMember();
  if (draft.isModerator || room.createdBy === draft.userId || !membership) return undefined;
  if (membership.mutedUntil && membership.mutedUntil > at) return muted();
  const sinceMs = membership.lastSentAt ? at.getTime() - membership.lastSentAt.getTime() : Infinity;
  const waitMs = room.slowModeSeconds * SECOND_MS - sinceMs;
  return waitMs > 0 ? slowMode(Math.ceil(waitMs / SECOND_MS)) : undefined;
}

export type Send = ReturnType<typeof sending>;
