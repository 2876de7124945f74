import { batching } from '../../kernel/concurrency/batching.ts';
import { type FailureMaker, insufficientPermissions, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { MessageView } from './authors.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { LastMessage } from './messages.model.ts';
import type { Membership, Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';

/** A room, as returned to clients. */
export interface RoomView extends Room {
  activeNow: number;
  /** Whether the member who sees it is in it. */
  joined: boolean;
  /** Until when that member is muted in it. */
  mutedUntil: Date | null;
  lastMessageAt: Date | null;
  unreadCount: number;
  notificationsEnabled: boolean;
  /** Null also for a member who may not read it. */
  lastMessage: (LastMessage & Pick<MessageView, 'user'>) | null;
}

export const isModerator = (caller: UserCaller): boolean => holds(caller, 'moderator');

/** Returns the reason why a member may not read a room; undefined if they may. */
export function refusalOf(
  room: Room,
  membership: Membership | undefined,
  caller: UserCaller,
): FailureMaker | undefined {
  if (isModerator(caller)) return undefined;
  if (membership?.bannedAt) return banned;
  return room.type !== 'public' && !membership?.isMember ? notMember : undefined;
}

interface Reader {
  roomId: ObjectId;
  userId: ObjectId;
}

/**
 * A single lane, so that batches grow with the load: thousands of clients reconnect at once after a restart, most of
 * them to the same rooms.
 */
const BATCH_OPTIONS = { maxSize: 500, concurrency: 1, maxQueued: 100_000, onOverflow: serviceUnavailable };

const keyOf = ({ roomId, userId }: Reader): string => roomId + userId;

/** Authorization to read, change and moderate rooms. */
export function roomAccess(store: Pick<RoomStore, 'findAll'>, members: Pick<MembershipStore, 'find'>) {
  const findBatched = batching<ObjectId, Room | undefined>(async (roomIds) => {
    const found = new Map((await store.findAll([...new Set(roomIds)])).map((room) => [room.id, room]));
    return roomIds.map((roomId) => found.get(roomId));
  }, BATCH_OPTIONS);
  const membershipBatched = batching<Reader, Membership | undefined>(async (readers) => {
    const distinct = new Map(readers.map((reader) => [keyOf(reader), reader]));
    const found = await members.find([...distinct.values()]);
    const byKey = new Map(found.map((one) => [keyOf(one), one]));
    return readers.map((reader) => byKey.get(keyOf(reader)));
  }, BATCH_OPTIONS);

  async function find(roomId: ObjectId): Promise<Room> {
    const room = await findBatched(roomId);
    if (!room) throw roomNotFound();
    return room;
  }

  const membershipOf = (roomId: ObjectId, userId: ObjectId): Promise<Membership | undefined> =>
    membershipBatched({ roomId, userId });

  /**
   * Returns the room if the member may read it: a public one, one they are in, or any for moderators.
   * @throws roomNotFound, notMember, banned
   */
  async function readable(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const [room, membership] = await Promise.all([find(roomId), membershipOf(roomId, caller.userId)]);
    const refusal = refusalOf(room, membership, caller);
    if (refusal) throw refusal();
    return room;
  }

  /**
   * Returns the room if it is the member's own or they are an administrator.
   * @throws roomNotFound, insufficientPermissions
   */
  async function owned(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    if (room.createdBy !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
    return room;
  }

  /**
   * Returns the room if it is the member's own or they are a moderator. @throws roomNotFound, insufficientPermissions
   */
  async function moderated(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    if (room.createdBy !== caller.userId && !isModerator(caller)) throw insufficientPermissions();
    return room;
  }

  return {
    find,
    membershipOf,
    readable,
    owned,
    moderated,
    /** Returns the readers who may not, or may no longer, read their room. */
    async excluded<R extends { roomId: ObjectId; caller: UserCaller }>(all: R[]): Promise<R[]> {
      const pairs = all.map(({ roomId, caller: { userId } }) => ({ roomId, userId }));
      const [found, memberships] = await Promise.all([
        store.findAll([...new Set(pairs.map(({ roomId }) => roomId))]),
        members.find(pairs),
      ]);
      const roomOf = new Map(found.map((room) => [room.id, room]));
      const byKey = new Map(memberships.map((one) => [keyOf(one), one]));
      return all.filter(({ roomId, caller }) => {
        const room = roomOf.get(roomId);
        return (
          !room || refusalOf(room, byKey.get(keyOf({ roomId, userId: caller.userId })), caller) !== undefined
        );
      });
    },
  };
}

export type RoomAccess = ReturnType<typeof roomAccess>;
