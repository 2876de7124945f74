import type { Database } from '../../kernel/database/database.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { validationFailed } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { only } from '../../kernel/only.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Audit } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { type Identity, withMembers } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Presence } from '../presence/contract.ts';
import type { RoomAllowances } from './allowances.ts';
import { withAuthors } from './authors.ts';
import { banned, creatorStays, notMember, roomChanged, roomNotFound } from './contract.ts';
import { tooManyRooms } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import { membershipRules } from './memberships.ts';
import type { MessageStore } from './messages.store.ts';
import { restrictionRules } from './restrictions.ts';
import { isModerator, type RoomView, refusalOf, roomAccess, showsMessages } from './room-access.ts';
import { roomChanges } from './room-changes.ts';
import { MAX_OWN_ROOMS, type Room, type RoomDraft } from './rooms.model.ts';
import type { RoomFilter, RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface RoomDeps {
  store: RoomStore;
  members: MembershipStore;
  messages: Pick<MessageStore, 'lastOf' | 'hasOthersThan'>;
  database: Database;
  events: Events;
  live: Live;
  presence: Pick<Presence, 'activeIn' | 'shownTo'>;
  audit: Pick<Audit, 'record' | 'recordOnce'>;
  moderation: Pick<Moderation, 'mayApproach' | 'maySpeak' | 'intervene' | 'closeReports'>;
  allowances: RoomAllowances;
  telling: Telling;
  identity: Pick<Identity, 'contactsOf' | 'profilesOf'>;
  clock: Clock;
  newId: NewId;
}

/** What its creator sees of a new room. */
const NEW = {
  activeNow: 0,
  mutedUntil: null,
  lastMessageAt: null,
  lastMessage: null,
  unreadCount: 0,
  notificationsEnabled: true,
  members: [],
};

/** Chatrooms: access, creation, changes, deletion and membership. */
export function roomRules(deps: RoomDeps) {
  const { store, members, messages, database, events, presence, moderation } = deps;
  const { allowances, identity, clock, newId } = deps;
  const now = () => clock.date();
  const access = roomAccess(deps);
  const { find, membershipOf, readable } = access;

  async function viewsOf(rooms: Room[], caller: UserCaller): Promise<RoomView[]> {
    const { userId } = caller;
    const ids = rooms.map(({ id }) => id);
    const closed = rooms.filter(({ type }) => type !== 'public').map(({ id }) => id);
    const [active, memberships, last, unread, others] = await Promise.all([
      presence.activeIn(ids),
      members.find(ids.map((roomId) => ({ roomId, userId }))),
      messages.lastOf(ids).then((found) => withAuthors(identity, found)),
      members.unreadOf(userId, ids),
      members.someOthersIn(closed, userId).then((found) => withMembers(identity, found)),
    ]);
    const othersIn = Map.groupBy(others, ({ roomId }) => roomId);
    const own = new Map(memberships.map((one) => [one.roomId, one]));
    const lastOf = new Map(last.map((one) => [one.roomId, one]));
    return rooms.map((room) => {
      const membership = own.get(room.id);
      const { isMember = false, mutedUntil = null, isQuiet = false } = membership ?? {};
      const lastMessage = lastOf.get(room.id) ?? null;
      return {
        ...room,
        activeNow: active.get(room.id) ?? 0,
        joined: isMember,
        mutedUntil: mutedUntil && mutedUntil > now() ? mutedUntil : null,
        lastMessageAt: lastMessage?.createdAt ?? null,
        unreadCount: unread.get(room.id) ?? 0,
        notificationsEnabled: !isQuiet,
        members: refusalOf(room, membership, caller)
          ? []
          : (othersIn.get(room.id) ?? []).map(({ user }) => user),
        lastMessage: showsMessages(room, membership, caller) ? lastMessage : null,
      };
    });
  }

  /** Returns a request for a member's rooms by activity; where it names a room alone, it begins after its present place. */
  async function afterRoom({ before, ...request }: PageRequest, userId: ObjectId): Promise<PageRequest> {
    if (before === undefined) return request;
    const [room] = (await membershipOf(before, userId))?.isMember ? await store.findAll([before]) : [];
    if (!room)
      throw validationFailed([{ field: 'before', message: 'must be the id of a chatroom that you are in' }]);
    const [last] = await messages.lastOf([before]);
    return { ...request, after: { at: last?.createdAt ?? room.createdAt, id: room.id } };
  }

  /** Returns a room as a member sees it. */
  const view = async (room: Room, caller: UserCaller): Promise<RoomView> =>
    only(await viewsOf([room], caller));

  const memberships = membershipRules({ ...deps, access, view });
  const { changing, takeOut, sendAway } = memberships;

  return {
    ...access,
    ...memberships,
    ...restrictionRules({ ...deps, ...memberships }),
    ...roomChanges({ ...deps, view }),
    view,
    /**
     * Returns a page of the rooms that a caller may see, or of those that they are in, by creation or by activity.
     * @throws validationFailed if rooms that the caller is not in are to be sorted by activity, or after no room
     */
    async pageOf(
      { joined, sort, ...filter }: RoomFilter & { joined?: true; sort?: 'newest' | 'active' },
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<RoomView>> {
      const visibleTo = isModerator(caller) ? {} : { visibleTo: caller.userId };
      const own = { ...filter, userId: caller.userId };
      if (sort === 'active' && !joined)
        throw validationFailed([{ field: 'sort', message: 'active requires joined=true' }]);
      const page = !joined
        ? await store.pageOf({ ...filter, ...visibleTo }, request)
        : sort === 'active'
          ? await store.joinedPage(own, 'active', await afterRoom(request, caller.userId))
          : await store.joinedPage(own, 'newest', request);
      return { ...page, items: await viewsOf(page.items, caller) };
    },
    /** Creates a room; its creator is the first member. @throws muted, tooManyRooms, tooManyNewRooms */
    async create(draft: RoomDraft, creator: UserCaller, idempotency = notIdempotent): Promise<RoomView> {
      await allowances.takeRoom(creator);
      const id = newId();
      const createdBy = creator.userId;
      const open = deps.telling.opening(creator);
      return database.transaction(async (tx) => {
        await moderation.maySpeak(creator, tx);
        await tx.lock('chat.creator', createdBy);
        if ((await store.countOwn(tx, createdBy)) >= MAX_OWN_ROOMS) throw tooManyRooms();
        await store.insert(tx, { ...draft, id, createdBy }, now());
        await members.join(tx, [{ roomId: id, userId: createdBy }], now());
        await events.publish(tx, roomChanged, { roomId: id });
        await open(tx, { id, type: draft.type });
        // Read again, because a separate statement has counted the creator; nobody can be active in it yet.
        const room = only(await store.findAll([id], tx));
        return answered(tx, { idempotency }, { ...room, ...NEW, joined: true });
      });
    },
    /** @throws roomNotFound, notMember for rooms that are not public, banned, blocked */
    async join(roomId: ObjectId, caller: UserCaller): Promise<RoomView> {
      const { userId } = caller;
      if (!(await membershipOf(roomId, userId))?.isMember)
        await database.transaction(async (tx) => {
          // A concurrent ban, block or change of type either waits for this lock or is visible here.
          const [room] = await store.lock(tx, [roomId]);
          if (!room) throw roomNotFound();
          const [membership] = await members.find([{ roomId, userId }], tx);
          if (membership?.bannedAt) throw banned();
          if (membership?.isMember) return;
          if (room.type !== 'public') throw notMember();
          await moderation.mayApproach(room.createdBy, userId, tx);
          await members.join(tx, [{ roomId, userId }], now());
        });
      return view(await readable(roomId, caller), caller);
    },
    /**
     * Leaves a room; has no effect for a reader who is not a member.
     * @throws roomNotFound, notMember, banned, creatorStays
     */
    async leave(roomId: ObjectId, caller: UserCaller): Promise<RoomView> {
      await readable(roomId, caller);
      const { userId } = caller;
      const { left, type } = await changing(roomId, async (tx, room) => {
        // They may have become its owner meanwhile.
        if (room.createdBy === userId) throw creatorStays();
        return { left: await takeOut(tx, roomId, userId, now()), type: room.type };
      });
      // A public room stays readable without a membership.
      if (left && type === 'public') await deps.telling.tellRemoved(userId, [roomId], 'LEFT');
      else if (left) await sendAway(roomId, userId, 'LEFT');
      return view(await find(roomId), caller);
    },
  };
}

export type RoomRules = ReturnType<typeof roomRules>;
