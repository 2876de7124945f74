import type { Database } from '../../kernel/database/database.ts';
import {
  BEYOND_IDS,
  offsetOf,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { only } from '../../kernel/only.ts';
import {
  type Left,
  type Membership,
  MOST_UNREAD,
  MOST_UNREAD_IN_ALL,
  type Restriction,
  type RoomMember,
  SHOWN_MEMBERS,
} from './rooms.model.ts';
import { lockRooms } from './rooms.store.ts';

type Place = Pick<Membership, 'roomId' | 'userId'>;

const MEMBERSHIP = `room_id as "roomId", user_id as "userId", is_member as "isMember", muted_until as "mutedUntil",
  banned_at as "bannedAt", last_sent_at as "lastSentAt", is_quiet as "isQuiet", left_at as "leftAt"`;

const find = statement<Membership>(
  'chat.memberships',
  `select ${MEMBERSHIP} from chat.member where (room_id, user_id) in (select * from unnest($1::text[], $2::text[]))`,
);
/** In this order, in which others lock them, too. */
const hold = statement<Membership>(
  'chat.hold-memberships',
  `select ${MEMBERSHIP} from chat.member where (room_id, user_id) in (select * from unnest($1::text[], $2::text[]))
   order by room_id, user_id for share`,
);
/** Ignores current and banned members; returns the room of each new member. */
const join = statement<{ roomId: ObjectId }>(
  'chat.join',
  `with joined as (
     insert into chat.member as known (room_id, user_id, is_member, joined_at, read_seq)
     select distinct room_id, user_id, true, $3::timestamptz, last_seq
     from unnest($1::text[], $2::text[]) as asked (room_id, user_id) join chat.room on room.id = room_id
     order by room_id, user_id
     on conflict (room_id, user_id) do update
       set is_member = true, joined_at = excluded.joined_at, read_seq = excluded.read_seq, left_at = null
     where not known.is_member and known.banned_at is null
     returning room_id),
   counted as (
     update chat.room set member_count = member_count + count.joined
     from (select room_id, count(*) as joined from joined group by room_id) count where id = count.room_id)
   select room_id as "roomId" from joined`,
);

/** By the primary key, so that the size of a room does not matter. */
const someOthers = statement<{ roomId: ObjectId; userId: ObjectId }>(
  'chat.some-other-members',
  `select asked.id as "roomId", other.user_id as "userId" from unnest($2::text[]) as asked (id) cross join lateral (
     select user_id from chat.member where room_id = asked.id and is_member and user_id <> $1
     order by user_id limit ${SHOWN_MEMBERS}) other`,
);

const markRead = statement<never>(
  'chat.mark-read',
  `update chat.member set read_seq = $3
   where room_id = $1 and user_id = $2 and is_member and (read_seq is null or read_seq < $3)`,
);
/** The newest messages that a membership has not read, by message_listing; the member's own do not count. */
const NEWEST = `(
       select user_id from chat.message
       where room_id = member.room_id and seq > member.read_seq and deleted_at is null
       order by seq desc limit ${MOST_UNREAD}) newest`;
/** How many messages a membership has not read. */
const UNREAD = `(
     select count(*) filter (where user_id <> $1) from ${NEWEST})::integer`;
const unread = statement<{ roomId: ObjectId; count: number }>(
  'chat.unread',
  `select room_id as "roomId", ${UNREAD} as count
   from chat.member where user_id = $1 and room_id = any($2) and is_member and read_seq is not null`,
);

/** The position and what is unread after it in one snapshot, so that they fit each other. */
const position = statement<{ seq: number; unreadCount: number }>(
  'chat.read-position',
  `select read_seq as seq, ${UNREAD} as "unreadCount" from chat.member
   where user_id = $1 and room_id = $2 and is_member`,
);

/**
 * The sum of `unread` over all rooms of a member; only rooms with events since are looked at. Of most of them only the newest
 * message is read, and counting ends at the number that is answered at most.
 */
const allUnread = statement<{ count: number; chatrooms: number }>(
  'chat.all-unread',
  `with member as materialized (
     select room_id, read_seq from (
       select member.room_id, member.read_seq from chat.member join chat.room on room.id = member.room_id
       where member.user_id = $1 and is_member and read_seq < room.last_seq and room.deleted_at is null) member
     where exists (select from ${NEWEST} where user_id <> $1))
   select (select count(*)::integer from (
       select from member cross join lateral (select from ${NEWEST} where user_id <> $1) others
       limit ${MOST_UNREAD_IN_ALL}) counted) as count,
     (select count(*)::integer from member) as chatrooms`,
);

/** Rooms left per transaction; it blocks senders in these rooms. */
const ROOMS_AT_ONCE = 100;

/**
 * Removes a member from these rooms, which `tx` must have locked; returns those that the member was in.
 * @param leftAt when the member leaves by themselves; null when others remove them
 */
const leaveAll = (
  tx: Transaction,
  roomIds: ObjectId[],
  userId: ObjectId,
  leftAt: Date | null = null,
): Promise<Left[]> =>
  tx.all<Left>(
    `with leaving as (
       select room_id, notified_since from chat.member
       where room_id = any($1) and user_id = $2 and is_member for update),
     gone as (
       update chat.member left_by
       set is_member = false, joined_at = null, read_seq = null, left_at = $3, notified_since = null
       from leaving where left_by.room_id = leaving.room_id and left_by.user_id = $2
       returning leaving.room_id, leaving.notified_since),
     counted as (update chat.room set member_count = member_count - 1 where id in (select room_id from gone))
     select room_id, notified_since from gone`,
    [roomIds, userId, leftAt],
  );

/** Bans a member from these rooms since a time; null lifts the bans. */
async function banFromAll(
  tx: Transaction,
  roomIds: ObjectId[],
  userId: ObjectId,
  since: Date | null,
): Promise<void> {
  await tx.execute(
    `insert into chat.member (room_id, user_id, is_member, banned_at)
     select room_id, $2, false, $3::timestamptz from unnest($1::text[]) as room_id
     on conflict (room_id, user_id) do update set banned_at = excluded.banned_at`,
    [roomIds, userId, since],
  );
}

/** SQL of memberships of rooms. */
export function membershipStore(database: Database) {
  return {
    /** Returns the memberships of these members in these rooms, without those that never existed. */
    find: (all: Place[], queries: Queries = database): Promise<Membership[]> =>
      queries.all(find, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId)]),

    /** The same, which do not change until the transaction ends. */
    hold: (all: Place[], queries: Queries): Promise<Membership[]> =>
      queries.all(hold, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId)]),

    /** Returns a few of the other members of each room. */
    someOthersIn: (
      roomIds: ObjectId[],
      userId: ObjectId,
    ): Promise<{ roomId: ObjectId; userId: ObjectId }[]> => database.all(someOthers, [userId, roomIds]),

    /** Adds members, except current and banned ones; returns the room of each new member. */
    join: (queries: Queries, all: Place[], at: Date): Promise<{ roomId: ObjectId }[]> =>
      queries.all(join, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId), at]),

    /** Records up to where a member has read; returns whether that is further than before. */
    markRead: async (roomId: ObjectId, userId: ObjectId, seq: number): Promise<boolean> =>
      (await database.execute(markRead, [roomId, userId, seq])) > 0,

    /** Returns up to where a member of a room has read, and how many messages are unread after that. */
    readPosition: (
      roomId: ObjectId,
      userId: ObjectId,
    ): Promise<{ seq: number; unreadCount: number } | undefined> =>
      database.first(position, [userId, roomId]),

    /** Returns how many of the newest messages of others a member has not read, by room; none where all are read. */
    async unreadOf(userId: ObjectId, roomIds: ObjectId[]): Promise<Map<ObjectId, number>> {
      const rows = await database.all(unread, [userId, roomIds]);
      return new Map(rows.map(({ roomId, count }) => [roomId, count]));
    },

    /** Returns the sum of {@link unreadOf} over all rooms of a member, at most 1,000, and in how many there are any. */
    allUnreadOf: async (userId: ObjectId): Promise<{ count: number; chatrooms: number }> =>
      only(await database.all(allUnread, [userId])),

    /**
     * Returns the blocker's rooms that the blocked member is in, and non-public rooms of the blocked member with only
     * these two.
     */
    async roomsOfTwo(
      tx: Transaction,
      blockerId: ObjectId,
      blockedId: ObjectId,
    ): Promise<{ own: ObjectId[]; shared: ObjectId[] }> {
      const rows = await tx.all<{ id: ObjectId; isOwn: boolean }>(
        `select room.id, room.created_by = $1 as is_own from chat.member join chat.room on room.id = member.room_id
         where member.user_id = $2 and member.is_member and room.deleted_at is null
           and (room.created_by = $1
             or (room.created_by = $2 and room.type <> 'public' and room.member_count = 2
               and exists (select from chat.member other
                 where other.room_id = room.id and other.user_id = $1 and other.is_member)))`,
        [blockerId, blockedId],
      );
      const ids = (isOwn: boolean) => rows.filter((one) => one.isOwn === isOwn).map(({ id }) => id);
      return { own: ids(true), shared: ids(false) };
    },

    leaveAll,

    /**
     * Removes a member from some of their rooms, except from those that they own; returns how many rooms these are, 0 when
     * they are in none.
     */
    async leaveSome(tx: Transaction, userId: ObjectId): Promise<number> {
      const rows = await tx.all<{ roomId: ObjectId }>(
        `select room_id from chat.member where user_id = $1 and is_member
         order by room_id limit ${ROOMS_AT_ONCE}`,
        [userId],
      );
      const roomIds = rows.map(({ roomId }) => roomId);
      // Locked before the counts are decremented, in the order in which senders lock them.
      const locked = await tx.all(lockRooms, [roomIds]);
      const own = new Set(locked.filter(({ createdBy }) => createdBy === userId).map(({ id }) => id));
      await tx.execute(
        `with gone as (
           delete from chat.member where user_id = $1 and room_id = any($2) and is_member returning room_id)
         update chat.room set member_count = member_count - 1 where id in (select room_id from gone)`,
        [userId, roomIds.filter((id) => !own.has(id))],
      );
      return roomIds.length;
    },

    /** Deletes what is left of a member who is in no room any more: that they left, and their mutes and bans. */
    async forget(userId: ObjectId): Promise<void> {
      await database.execute('delete from chat.member where user_id = $1 and not is_member', [userId]);
    },

    /** Returns the members of a room, by descending id. */
    async pageOf(roomId: ObjectId, request: PageRequest): Promise<RoomMember[]> {
      return database.all<RoomMember>(
        `select user_id as "userId", joined_at as "joinedAt", muted_until as "mutedUntil" from chat.member
         where room_id = $1 and is_member and user_id < $4 order by user_id desc limit $2 offset $3`,
        [roomId, request.limit, offsetOf(request), request.before ?? BEYOND_IDS],
      );
    },

    /** Returns who is muted in a room at an instant or banned from it, by descending id; served by member_restrictions. */
    restrictionsOf: (roomId: ObjectId, at: Date, request: PageRequest): Promise<Page<Restriction>> =>
      readPage<Restriction>(
        database,
        {
          columns: `user_id as "userId", banned_at as "bannedAt",
            case when muted_until > $2 then muted_until end as "mutedUntil"`,
          from: `chat.member where room_id = $1 and (banned_at is not null or muted_until is not null)
            and (banned_at is not null or muted_until > $2)`,
          orderBy: 'user_id desc',
          id: 'user_id',
          isGrowing: true,
        },
        [roomId, at],
        request,
      ),

    /** Mutes a member until an instant; null unmutes. */
    async mute(tx: Transaction, roomId: ObjectId, userId: ObjectId, until: Date | null): Promise<void> {
      await tx.execute(
        `insert into chat.member (room_id, user_id, is_member, muted_until) values ($1, $2, false, $3)
         on conflict (room_id, user_id) do update set muted_until = excluded.muted_until`,
        [roomId, userId, until],
      );
    },

    /** Bans a member as of an instant; null lifts the ban. The caller must also end the membership. */
    ban: (tx: Transaction, roomId: ObjectId, userId: ObjectId, since: Date | null): Promise<void> =>
      banFromAll(tx, [roomId], userId, since),
    banFromAll,
  };
}

export type MembershipStore = ReturnType<typeof membershipStore>;
