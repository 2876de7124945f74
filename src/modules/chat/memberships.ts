import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import { type Identity, type Member, userNotFound, withMembers } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Presence } from '../presence/contract.ts';
import type { RoomAllowances } from './allowances.ts';
import { addedToRoom } from './chat.live.ts';
import { banned, memberAdded, roomNotFound } from './contract.ts';
import { memberLeft } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import { isModerator, mustOwn, type RoomAccess, type RoomView } from './room-access.ts';
import { LEFT_ALONE_DAYS, type Membership, type Room, type RoomMember } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface MembershipDeps {
  store: RoomStore;
  members: MembershipStore;
  access: RoomAccess;
  view: (room: Room, caller: UserCaller) => Promise<RoomView>;
  database: Database;
  events: Events;
  live: Live;
  moderation: Pick<Moderation, 'mayApproach' | 'intervene'>;
  presence: Pick<Presence, 'shownTo'>;
  allowances: Pick<RoomAllowances, 'takeAdding'>;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
  telling: Pick<Telling, 'note' | 'withdraw' | 'tellRemoved'>;
  clock: Clock;
}

/** A member of a room, as another one sees them. */
interface MemberView extends RoomMember {
  user: Member;
  role: 'owner' | 'member';
  /** Null while too many are connected to the room. */
  online: boolean | null;
}

/** Membership of rooms: who is in them, and who is added or taken out. */
export function membershipRules(deps: MembershipDeps) {
  const { store, members, access, view, database, events, live, moderation } = deps;
  const { allowances, identity, telling, presence, clock } = deps;
  const { find } = access;
  const now = () => clock.date();

  /**
   * Changes a membership under the lock of its room, which messages, edits and joins also take: a concurrent one either
   * precedes the change or sees it. Who owns the room may have changed since the caller was let in: `work` checks that
   * of the room that it is given.
   * @throws roomNotFound
   */
  const changing = <Result>(
    roomId: ObjectId,
    work: (tx: Transaction, room: Room) => Promise<Result>,
  ): Promise<Result> =>
    database.transaction(async (tx) => {
      const [room] = await store.lock(tx, [roomId]);
      if (!room) throw roomNotFound();
      return work(tx, room);
    });

  /** Whether a member left by themselves, so recently that the creator of the room must respect it. */
  const hasParted = (membership: Membership | undefined): boolean =>
    !!membership?.leftAt && membership.leftAt.getTime() > clock.now() - LEFT_ALONE_DAYS * DAY_MS;

  /**
   * Takes a member out of a room, which must be locked, with their notifications about it.
   * @param leftAt when they leave by themselves; null when others remove them
   * @returns whether they were in it
   */
  async function takeOut(
    tx: Transaction,
    roomId: ObjectId,
    userId: ObjectId,
    leftAt: Date | null = null,
  ): Promise<boolean> {
    const left = await members.leaveAll(tx, [roomId], userId, leftAt);
    await telling.withdraw(tx, userId, left);
    return left.length > 0;
  }

  /** Ends what a member sees of a room that they may no longer read. */
  async function sendAway(roomId: ObjectId, userId: ObjectId, reason: string): Promise<void> {
    await live.revoke(liveChannel.room(roomId), { userId, reason });
    await telling.tellRemoved(userId, [roomId], reason);
  }

  return {
    changing,
    takeOut,
    sendAway,
    /** Returns the members of a room as this one sees them: mutes are no concern of others. */
    async membersOf(room: Room, request: PageRequest, caller: UserCaller): Promise<Page<MemberView>> {
      const [found, { online }] = await Promise.all([
        members.pageOf(room.id, request),
        presence.shownTo(caller.userId, room.id),
      ]);
      const seesMutes = room.createdBy === caller.userId || isModerator(caller);
      const items = (await withMembers(identity, found)).map((one): MemberView => {
        const isMuted = one.mutedUntil !== null && one.mutedUntil > now();
        return {
          ...one,
          role: one.userId === room.createdBy ? 'owner' : 'member',
          mutedUntil: isMuted && (seesMutes || one.userId === caller.userId) ? one.mutedUntil : null,
          online: online?.includes(one.userId) ?? null,
        };
      });
      return { ...request, items, total: room.memberCount };
    },
    /**
     * Adds a member, who is told of it unless they are in the room already. That an administrator adds somebody to the
     * room of another member, such as themselves, is recorded, and its owner is notified.
     * @throws insufficientPermissions, userNotFound, blocked, banned, memberLeft except for administrators, tooManyAdded
     */
    async add(room: Room, userId: ObjectId, by: UserCaller, facts: RequestFacts): Promise<RoomView> {
      await allowances.takeAdding(by);
      if ((await identity.contactsOf([userId])).length === 0) throw userNotFound();
      const isNew = await changing(room.id, async (tx, current) => {
        mustOwn(current, by);
        await moderation.mayApproach(userId, by.userId, tx);
        const [membership] = await members.find([{ roomId: room.id, userId }], tx);
        if (membership?.bannedAt) throw banned();
        if (hasParted(membership) && !holds(by, 'admin')) throw memberLeft();
        const joined = await members.join(tx, [{ roomId: room.id, userId }], now());
        if (joined.length === 0) return false;
        await moderation.intervene(tx, actorOf(by, facts), {
          kind: 'chatroom',
          subjectId: room.id,
          authorId: current.createdBy,
          action: 'changed',
          recordedAs: 'member-added',
          details: { userId },
        });
        if (userId === by.userId) return false;
        await telling.note(tx, room.id, userId);
        await events.publish(tx, memberAdded, { roomId: room.id, userId, addedBy: by.userId });
        return true;
      });
      if (isNew) {
        const message = addedToRoom({ chatroomId: room.id, name: room.name, addedBy: by.userId });
        await live.send(liveChannel.user(userId), [message]);
      }
      return view(await find(room.id), by);
    },
  };
}

export type MembershipRules = ReturnType<typeof membershipRules>;
