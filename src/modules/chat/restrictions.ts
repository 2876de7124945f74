import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import type { Audit, Changes } from '../../kernel/records/audit.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import { type Identity, type Member, userNotFound, withMembers } from '../identity/contract.ts';
import type { RoomAllowances } from './allowances.ts';
import { memberMutedInRoom } from './chat.live.ts';
import { creatorStays } from './contract.ts';
import { memberNotFound } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { MembershipRules } from './memberships.ts';
import { mustModerate, mustOwn } from './room-access.ts';
import type { Membership, Restriction, Room } from './rooms.model.ts';

interface RestrictionDeps extends Pick<MembershipRules, 'changing' | 'takeOut' | 'sendAway'> {
  members: MembershipStore;
  live: Live;
  audit: Pick<Audit, 'record'>;
  allowances: Pick<RoomAllowances, 'takeRestricting'>;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
  clock: Clock;
}

/** Who acts on a member of a room. */
interface By {
  caller: UserCaller;
  facts: RequestFacts;
}

/** Removing, muting and banning members of rooms, by their owners and by staff, of whom it is recorded. */
export function restrictionRules(deps: RestrictionDeps) {
  const { members, live, audit, allowances, identity, clock, changing, takeOut, sendAway } = deps;

  /** @throws userNotFound */
  async function mustExist(userId: ObjectId): Promise<void> {
    if ((await identity.contactsOf([userId])).length === 0) throw userNotFound();
  }

  const membershipIn = async (
    tx: Transaction,
    roomId: ObjectId,
    userId: ObjectId,
  ): Promise<Membership | undefined> => (await members.find([{ roomId, userId }], tx))[0];

  /** Records what staff does to somebody in the room of another member, whom each mute of a troublemaker would bother. */
  async function record(
    tx: Transaction,
    { id: target, createdBy: authorId }: Room,
    acted: { action: string; userId: ObjectId; changes?: Changes },
    { caller, facts }: By,
  ): Promise<void> {
    if (caller.userId === authorId) return;
    const { action, userId, changes } = acted;
    const entry = { ...actorOf(caller, facts), action: `chatroom.member-${action}`, target };
    await audit.record(tx, { ...entry, details: { userId, authorId }, ...(changes && { changes }) });
  }

  return {
    /** Returns who is muted in a room now or banned from it. */
    async restrictionsOf(room: Room, request: PageRequest): Promise<Page<Restriction & { user: Member }>> {
      const page = await members.restrictionsOf(room.id, clock.date(), request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
    /** @throws insufficientPermissions, memberNotFound, creatorStays */
    async remove({ id: roomId }: Room, userId: ObjectId, by: By): Promise<void> {
      await changing(roomId, async (tx, room) => {
        mustOwn(room, by.caller);
        if (userId === room.createdBy) throw creatorStays();
        if (!(await takeOut(tx, roomId, userId))) throw memberNotFound();
        await record(tx, room, { action: 'removed', userId }, by);
      });
      await sendAway(roomId, userId, 'REMOVED');
    },
    /**
     * Mutes a member, or lifts their mute. Nobody is told who is not in the room: they may have blocked its owner.
     * @throws insufficientPermissions, userNotFound, creatorStays, tooManyRestrictions; memberNotFound for somebody who
     * has never been in a room that is not public
     */
    async mute(
      { id: roomId }: Room,
      userId: ObjectId,
      minutes: number | undefined,
      by: By,
    ): Promise<Date | null> {
      await allowances.takeRestricting(by.caller);
      await mustExist(userId);
      const until = minutes === undefined ? null : new Date(clock.now() + minutes * MINUTE_MS);
      const isTold = await changing(roomId, async (tx, room) => {
        mustModerate(room, by.caller);
        if (userId === room.createdBy) throw creatorStays();
        const membership = await membershipIn(tx, roomId, userId);
        if (!membership && room.type !== 'public') throw memberNotFound();
        const before = membership?.mutedUntil ?? null;
        if (!before && !until) return false;
        await members.mute(tx, roomId, userId, until);
        const changes: Changes = { mutedUntil: [before, until] };
        await record(tx, room, { action: until ? 'muted' : 'unmuted', userId, changes }, by);
        return membership?.isMember ?? false;
      });
      const message = memberMutedInRoom({ chatroomId: roomId, userId, mutedUntil: until });
      if (isTold) await live.send(liveChannel.user(userId), [message]);
      return until;
    },
    /**
     * Bans a member, who is told if they were in the room. A repeated ban changes nothing.
     * @throws insufficientPermissions, userNotFound, creatorStays, tooManyRestrictions
     */
    async ban({ id: roomId }: Room, userId: ObjectId, by: By): Promise<void> {
      await allowances.takeRestricting(by.caller);
      await mustExist(userId);
      const wasIn = await changing(roomId, async (tx, room) => {
        mustModerate(room, by.caller);
        if (userId === room.createdBy) throw creatorStays();
        if ((await membershipIn(tx, roomId, userId))?.bannedAt) return false;
        const isOut = await takeOut(tx, roomId, userId);
        await members.ban(tx, roomId, userId, clock.date());
        await record(tx, room, { action: 'banned', userId }, by);
        return isOut;
      });
      if (wasIn) await sendAway(roomId, userId, 'BANNED');
      // Whoever reads a public room need not be in it.
      else await live.revoke(liveChannel.room(roomId), { userId, reason: 'BANNED' });
    },
    /** @throws insufficientPermissions, tooManyRestrictions */
    async unban({ id: roomId }: Room, userId: ObjectId, by: By): Promise<void> {
      await allowances.takeRestricting(by.caller);
      await changing(roomId, async (tx, room) => {
        mustModerate(room, by.caller);
        if (!(await membershipIn(tx, roomId, userId))?.bannedAt) return;
        await members.ban(tx, roomId, userId, null);
        await record(tx, room, { action: 'unbanned', userId }, by);
      });
    },
  };
}
