import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import { roomChanged, roomHandedOn, roomNotFound } from './contract.ts';
import { educatorRoomStays, memberNotFound, ownerHasTooManyRooms } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { OwnerStore } from './owners.store.ts';
import { recordedOf } from './recorded-rooms.ts';
import { mustOwn } from './room-access.ts';
import { MAX_RECEIVED_ROOMS, type Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface OwnerDeps {
  owners: OwnerStore;
  store: RoomStore;
  members: MembershipStore;
  database: Database;
  events: Events;
  moderation: Pick<Moderation, 'mayApproach' | 'intervene'>;
  identity: Pick<Identity, 'contactsOf'>;
  telling: Pick<Telling, 'note' | 'tellAll' | 'announcing' | 'withdrawOpening'>;
  clock: Clock;
}

/** Rooms are handed on by their owners and administrators, and by the erasure of the owner's account. */
export function ownerRules(deps: OwnerDeps) {
  const { owners, store, members, database, events, moderation, identity, telling, clock } = deps;

  /** Has the new owner of a room notified; `from` is the former one if it is their doing. */
  async function notifyOwner(
    tx: Transaction,
    roomId: ObjectId,
    { userId, from }: { userId: ObjectId; from?: ObjectId | undefined },
  ): Promise<void> {
    await telling.note(tx, roomId, userId);
    await events.publish(tx, roomHandedOn, { roomId, userId, ...(from && { from }) });
  }

  /**
   * Checks that a member may become the owner of a room, and locks how many they have.
   * @throws memberNotFound, blocked except for administrators, ownerHasTooManyRooms
   */
  async function mayReceive(
    tx: Transaction,
    roomId: ObjectId,
    userId: ObjectId,
    caller: UserCaller,
  ): Promise<void> {
    const [membership] = await members.find([{ roomId, userId }], tx);
    // An account that is being erased is in its rooms for some seconds.
    const [contact] = await identity.contactsOf([userId]);
    if (!membership?.isMember || !contact?.isActive) throw memberNotFound();
    if (!holds(caller, 'admin')) await moderation.mayApproach(userId, caller.userId, tx);
    // Whoever holds this lock waits for no room, so that the order of both does not matter.
    await tx.lock('chat.creator', userId);
    if ((await store.countOwn(tx, userId)) >= MAX_RECEIVED_ROOMS) throw ownerHasTooManyRooms();
  }

  /** Returns who becomes the owner of a room after the present one. */
  async function heirOf(tx: Transaction, { id, createdBy }: Room, at: Date): Promise<ObjectId | undefined> {
    const heirs = await owners.heirsOf(tx, id, createdBy, at);
    const contacts = heirs.length > 0 ? await identity.contactsOf(heirs) : [];
    const active = new Set(contacts.filter(({ isActive }) => isActive).map(({ userId }) => userId));
    return heirs.find((userId) => active.has(userId));
  }

  /** Passes on a room, which must be locked, and takes its owner out of it; returns whether it was deleted. */
  async function passOnIn(tx: Transaction, room: Room): Promise<boolean> {
    const { id: roomId, createdBy: userId } = room;
    const at = clock.date();
    const heir = await heirOf(tx, room, at);
    if (heir !== undefined && (await owners.handOn(tx, roomId, heir, at)))
      await notifyOwner(tx, roomId, { userId: heir });
    const left = await members.leaveAll(tx, [roomId], userId);
    const isLast = room.memberCount <= left.length;
    if (isLast) await owners.forget(tx, roomId, 'A former chatroom', at);
    if (isLast && room.type === 'public') await telling.withdrawOpening(tx, room);
    await events.publish(tx, roomChanged, { roomId });
    await telling.tellAll(tx, roomId);
    return isLast;
  }

  return {
    /**
     * Makes a member of a room its owner.
     * @throws roomNotFound, insufficientPermissions, educatorRoomStays, and as {@link mayReceive}
     */
    async handOn(
      roomId: ObjectId,
      userId: ObjectId,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<{ room: Room; isAnnounced: boolean }> {
      const announce = telling.announcing('chatroom-changes', caller);
      return database.transaction(async (tx) => {
        const [room] = await store.lock(tx, [roomId]);
        if (!room) throw roomNotFound();
        mustOwn(room, caller);
        if (room.createdBy === userId) return { room, isAnnounced: true };
        await mayReceive(tx, roomId, userId, caller);
        if (!(await owners.handOn(tx, roomId, userId, clock.date()))) throw educatorRoomStays();
        await moderation.intervene(tx, actorOf(caller, facts), {
          kind: 'chatroom',
          subjectId: roomId,
          authorId: room.createdBy,
          action: 'changed',
          ...recordedOf(room, { createdBy: [room.createdBy, userId] }),
        });
        await events.publish(tx, roomChanged, { roomId });
        const from = room.createdBy === caller.userId ? caller.userId : undefined;
        if (userId !== caller.userId) await notifyOwner(tx, roomId, { userId, from });
        return { room: { ...room, createdBy: userId }, isAnnounced: await announce(tx, room) };
      });
    },

    /**
     * Takes an erased member out of a room of theirs, which is passed on to whoever has been in it for longest, and is
     * deleted if nobody else is in it. Has no effect when it is repeated.
     * @returns whether the room was deleted
     */
    async passOn(roomId: ObjectId, userId: ObjectId): Promise<boolean> {
      return database.transaction(async (tx) => {
        const [room] = await store.lock(tx, [roomId]);
        return room?.createdBy === userId && passOnIn(tx, room);
      });
    },

    /**
     * Passes on a room whose owner is not in it, as {@link passOn} does.
     * @returns whether the room was deleted
     */
    async repair(roomId: ObjectId): Promise<boolean> {
      return database.transaction(async (tx) => {
        const [room] = await store.lock(tx, [roomId]);
        if (!room) return false;
        const [membership] = await members.find([{ roomId, userId: room.createdBy }], tx);
        return !membership?.isMember && passOnIn(tx, room);
      });
    },
  };
}

export type OwnerRules = ReturnType<typeof ownerRules>;
