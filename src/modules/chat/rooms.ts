import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { mapPage, type Page, type PageRequest } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import { type Contact, userNotFound } from '../identity/contract.ts';
import type { Presence } from '../presence/contract.ts';
import { banned, creatorStays, notMember } from './contract.ts';
import { memberNotFound, roomNotFound } from './failures.ts';
import type { Member, Membership, Room, RoomChanges, RoomStore, RoomType } from './rooms.store.ts';

/** A room as clients see it. */
export interface RoomView extends Room {
  activeNow: number;
}

interface RoomDeps {
  store: RoomStore;
  database: Database;
  live: Live;
  presence: Pick<Presence, 'activeIn'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  clock: Clock;
  newId: NewId;
}

export const isModerator = (caller: UserCaller): boolean => holds(caller, 'moderator');

/** Chatrooms: who may see, enter, change and delete them, and who is in them. */
export function roomRules({ store, database, live, presence, contactsOf, clock, newId }: RoomDeps) {
  const now = () => new Date(clock.now());

  async function find(roomId: ObjectId): Promise<Room> {
    const room = await store.find(roomId);
    if (!room) throw roomNotFound();
    return room;
  }

  async function membershipOf(roomId: ObjectId, userId: ObjectId): Promise<Membership | undefined> {
    return (await store.memberships([{ roomId, userId }]))[0];
  }

  async function view(room: Room): Promise<RoomView> {
    return { ...room, activeNow: (await presence.activeIn([room.id])).get(room.id) ?? 0 };
  }

  /** Why somebody may not read a room; nothing, if they may. */
  function refusalOf(room: Room, membership: Membership | undefined, caller: UserCaller) {
    if (isModerator(caller)) return undefined;
    if (membership?.bannedAt) return banned;
    return room.type !== 'public' && !membership?.isMember ? notMember : undefined;
  }

  /**
   * The room, if this member may read it: a public one, one they are in, any for moderators.
   * @throws roomNotFound, notMember, banned
   */
  async function readable(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const [room, membership] = await Promise.all([find(roomId), membershipOf(roomId, caller.userId)]);
    const refusal = refusalOf(room, membership, caller);
    if (refusal) throw refusal();
    return room;
  }

  /**
   * The room, if it is this member's own, or they are an administrator.
   * @throws roomNotFound, insufficientPermissions
   */
  async function owned(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    if (room.createdBy !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
    return room;
  }

  /** The same, or a moderator. */
  async function moderated(roomId: ObjectId, caller: UserCaller): Promise<Room> {
    const room = await find(roomId);
    if (room.createdBy !== caller.userId && !isModerator(caller)) throw insufficientPermissions();
    return room;
  }

  /** Somebody else of this room, over whom its creator and moderators have a say. */
  async function subject(room: Room, userId: ObjectId): Promise<void> {
    if (userId === room.createdBy) throw creatorStays();
    if ((await contactsOf([userId])).length === 0) throw userNotFound();
  }

  async function revokeAccess(roomId: ObjectId, userId: ObjectId, reason: string): Promise<void> {
    await live.revoke(liveChannel.room(roomId), { userId, reason });
  }

  return {
    find,
    readable,
    owned,
    moderated,
    view,
    /** Of these, whoever may not read the room, or not any more. */
    async excluded<R extends { roomId: ObjectId; caller: UserCaller }>(all: R[]): Promise<R[]> {
      const pairs = all.map(({ roomId, caller: { userId } }) => ({ roomId, userId }));
      const [found, memberships] = await Promise.all([
        store.findAll([...new Set(pairs.map(({ roomId }) => roomId))]),
        store.memberships(pairs),
      ]);
      const roomOf = new Map(found.map((room) => [room.id, room]));
      const known = new Map(memberships.map((one) => [one.roomId + one.userId, one]));
      return all.filter(({ roomId, caller }) => {
        const room = roomOf.get(roomId);
        return !room || refusalOf(room, known.get(roomId + caller.userId), caller) !== undefined;
      });
    },
    async pageOf(
      filter: { type?: RoomType },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<RoomView>> {
      const visibleTo = isModerator(caller) ? {} : { visibleTo: caller.userId };
      const page = await store.pageOf({ ...filter, ...visibleTo }, request);
      const active = await presence.activeIn(page.items.map(({ id }) => id));
      return mapPage(page, (room) => ({ ...room, activeNow: active.get(room.id) ?? 0 }));
    },
    /** Whoever makes a room is its first member. */
    async create(draft: Pick<Room, 'name' | 'description' | 'type'>, createdBy: ObjectId): Promise<RoomView> {
      const id = newId();
      await database.transaction(async (tx) => {
        await store.insert(tx, { ...draft, id, createdBy }, now());
        await store.join(tx, [{ roomId: id, userId: createdBy }], now());
      });
      // Its creator is counted by a statement of their own.
      return view(await find(id));
    },
    /** The one room of an educator, made when somebody first asks for it. */
    async ofEducator(educatorId: ObjectId, name: string): Promise<ObjectId> {
      const known = await store.ofEducator(educatorId);
      if (known) return known;
      const id = newId();
      const draft = { id, name, description: '', type: 'public' as const, createdBy: educatorId };
      try {
        await database.transaction(async (tx) => {
          await store.insert(tx, draft, now());
          await store.claim(tx, id, educatorId);
          await store.join(tx, [{ roomId: id, userId: educatorId }], now());
        });
        return id;
      } catch (error) {
        // Somebody else asked at the same time.
        const other = isDuplicate(error, 'room_of_educator') && (await store.ofEducator(educatorId));
        if (!other) throw error;
        return other;
      }
    },
    async update(roomId: ObjectId, changes: RoomChanges): Promise<RoomView> {
      const room = await store.update(roomId, changes, now());
      if (!room) throw roomNotFound();
      // Once public, now perhaps for its members only: those who are none lose it at once.
      if (changes.type !== undefined && room.type !== 'public') await live.review(liveChannel.room(roomId));
      return view(room);
    },
    async delete(roomId: ObjectId): Promise<void> {
      if (!(await database.transaction((tx) => store.delete(tx, roomId, now())))) throw roomNotFound();
      await live.revoke(liveChannel.room(roomId), { reason: 'ROOM_DELETED' });
    },
    /** @throws roomNotFound, notMember for rooms that one is added to, banned */
    async join(roomId: ObjectId, { userId }: UserCaller): Promise<RoomView> {
      const [room, membership] = await Promise.all([find(roomId), membershipOf(roomId, userId)]);
      if (membership?.bannedAt) throw banned();
      if (!membership?.isMember) {
        if (room.type !== 'public') throw notMember();
        await store.join(database, [{ roomId, userId }], now());
      }
      return view(await find(roomId));
    },
    /**
     * Leaving what one may read and is not in is no fault.
     * @throws roomNotFound, notMember, banned, creatorStays
     */
    async leave(roomId: ObjectId, caller: UserCaller): Promise<RoomView> {
      const room = await readable(roomId, caller);
      const { userId } = caller;
      if (room.createdBy === userId) throw creatorStays();
      const left = await database.transaction((tx) => store.leave(tx, roomId, userId));
      // A public room may be read without being in it.
      if (left && room.type !== 'public') await revokeAccess(roomId, userId, 'LEFT');
      return view(await find(roomId));
    },
    async membersOf(room: Room, request: PageRequest): Promise<Page<Member>> {
      return { ...request, items: await store.membersOf(room.id, request), total: room.memberCount };
    },
    /** @throws userNotFound, banned */
    async add(room: Room, userId: ObjectId): Promise<RoomView> {
      if ((await contactsOf([userId])).length === 0) throw userNotFound();
      if ((await membershipOf(room.id, userId))?.bannedAt) throw banned();
      await store.join(database, [{ roomId: room.id, userId }], now());
      return view(await find(room.id));
    },
    /** @throws memberNotFound, creatorStays */
    async remove(room: Room, userId: ObjectId): Promise<void> {
      if (userId === room.createdBy) throw creatorStays();
      if (!(await database.transaction((tx) => store.leave(tx, room.id, userId)))) throw memberNotFound();
      await revokeAccess(room.id, userId, 'REMOVED');
    },
    /** @throws userNotFound, creatorStays */
    async mute(room: Room, userId: ObjectId, minutes: number | undefined): Promise<Date | null> {
      await subject(room, userId);
      const until = minutes === undefined ? null : new Date(clock.now() + minutes * 60_000);
      await store.mute(room.id, userId, until);
      return until;
    },
    /** @throws userNotFound, creatorStays */
    async ban(room: Room, userId: ObjectId): Promise<void> {
      await subject(room, userId);
      await database.transaction(async (tx) => {
        await store.leave(tx, room.id, userId);
        await store.ban(tx, room.id, userId, now());
      });
      await revokeAccess(room.id, userId, 'BANNED');
    },
    async unban(room: Room, userId: ObjectId): Promise<void> {
      await database.transaction((tx) => store.ban(tx, room.id, userId, null));
    },
  };
}

export type RoomRules = ReturnType<typeof roomRules>;
