import { batching } from '../../kernel/concurrency/batching.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type FailureMaker, insufficientPermissions, serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { RequestFacts, UserCaller } from '../../kernel/operations/callers.ts';
import type { Audit } from '../../kernel/records/audit.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import type { Member } from '../identity/contract.ts';
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
  /** Some of the others in it, if it is not public and the member may read it. */
  members: Member[];
  /** Null also for a member who may not read it. */
  lastMessage: (LastMessage & Pick<MessageView, 'user'>) | null;
}

export const isModerator = (caller: UserCaller): boolean => holds(caller, 'moderator');

/** Returns the reason why a member may not read a room; undefined if they may. */
export const refusalOf = (
  room: Room,
  membership: Membership | undefined,
  caller: UserCaller,
): FailureMaker | undefined => (isModerator(caller) ? undefined : refusalOfMember(room, membership));

/** The same without regard to what administrators and moderators may read by their office. */
export function refusalOfMember(
  { type }: Pick<Room, 'type'>,
  membership: Membership | undefined,
): FailureMaker | undefined {
  if (membership?.bannedAt) return banned;
  return type !== 'public' && !membership?.isMember ? notMember : undefined;
}

/** Checks that a room is the caller's own, or they are an administrator. @throws insufficientPermissions */
export function mustOwn({ createdBy }: Room, caller: UserCaller): void {
  if (createdBy !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
}

/** Checks that a room is the caller's own, or they are a moderator. @throws insufficientPermissions */
export function mustModerate({ createdBy }: Room, caller: UserCaller): void {
  if (createdBy !== caller.userId && !isModerator(caller)) throw insufficientPermissions();
}

/** Whether somebody reads a room only because they are an administrator or moderator, which is recorded. */
const isStaffReading = (
  room: { type: string },
  membership: Membership | undefined,
  caller: UserCaller,
): boolean => isModerator(caller) && room.type !== 'public' && !membership?.isMember;

/** Whether a list of rooms may show a member what is written in one; what staff reads is recorded, and lists are not. */
export const showsMessages = (room: Room, membership: Membership | undefined, caller: UserCaller): boolean =>
  !refusalOf(room, membership, caller) && !isStaffReading(room, membership, caller);

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

interface AccessDeps extends Pick<Core, 'database'> {
  store: Pick<RoomStore, 'findAll'>;
  members: Pick<MembershipStore, 'find'>;
  audit: Pick<Audit, 'recordOnce'>;
}

/** Of several readings of a room by one person within this time, the first is recorded. */
const RECORDED_ONCE_MS = HOUR_MS;

/** Authorization to read, change and moderate rooms. */
export function roomAccess({ store, members, database, audit }: AccessDeps) {
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

  /** Records that an administrator or moderator reads a room, in the transaction of what lets them. */
  const recordReading = (
    tx: Transaction,
    { id: target }: Pick<Room, 'id'>,
    caller: UserCaller,
    facts: Partial<RequestFacts> = {},
  ): Promise<void> => {
    const { requestId, reason } = facts;
    const actor = { actor: caller.userId, actorEmail: caller.email, ...(requestId && { requestId }), reason };
    // Without the name, which would outlive the account of the owner whose text it is.
    const entry = { ...actor, action: 'chatroom.read', target };
    return audit.recordOnce(tx, entry, RECORDED_ONCE_MS);
  };

  /**
   * Returns the room whose messages a caller is about to read, which is recorded once an hour if only their office lets them.
   * @throws as {@link readable}
   */
  async function opened(roomId: ObjectId, caller: UserCaller, facts?: RequestFacts): Promise<Room> {
    const room = await readable(roomId, caller);
    if (isModerator(caller) && room.type !== 'public')
      await database.transaction(async (tx) => {
        const [membership] = await members.find([{ roomId, userId: caller.userId }], tx);
        if (isStaffReading(room, membership, caller)) await recordReading(tx, room, caller, facts);
      });
    return room;
  }

  /**
   * Returns the room if it is the member's own or they are an administrator.
   * @throws roomNotFound, insufficientPermissions
   */
  async function owned(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    mustOwn(room, caller);
    return room;
  }

  /**
   * Returns the room if it is the member's own or they are a moderator. @throws roomNotFound, insufficientPermissions
   */
  async function moderated(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    mustModerate(room, caller);
    return room;
  }

  return {
    find,
    membershipOf,
    readable,
    opened,
    owned,
    moderated,
    /**
     * Returns the readers who may not, or may no longer, read their room; of the others it is recorded, as of {@link opened}.
     */
    async excluded<R extends { roomId: ObjectId; caller: UserCaller }>(all: R[]): Promise<R[]> {
      const pairs = all.map(({ roomId, caller: { userId } }) => ({ roomId, userId }));
      const [found, memberships] = await Promise.all([
        store.findAll([...new Set(pairs.map(({ roomId }) => roomId))]),
        members.find(pairs),
      ]);
      const roomOf = new Map(found.map((room) => [room.id, room]));
      const byKey = new Map(memberships.map((one) => [keyOf(one), one]));
      const membershipIn = ({ roomId, caller: { userId } }: R) => byKey.get(keyOf({ roomId, userId }));
      const staff = all.flatMap((reader) => {
        const room = roomOf.get(reader.roomId);
        const isStaff = room && isStaffReading(room, membershipIn(reader), reader.caller);
        return isStaff ? [{ room, caller: reader.caller }] : [];
      });
      for (const { room, caller } of staff)
        await database.transaction((tx) => recordReading(tx, room, caller));
      return all.filter((reader) => {
        const room = roomOf.get(reader.roomId);
        return !room || refusalOf(room, membershipIn(reader), reader.caller) !== undefined;
      });
    },
  };
}

export type RoomAccess = ReturnType<typeof roomAccess>;
