import type { Database } from '../../kernel/database/database.ts';
import { offsetOf, type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Member, Membership, Room, RoomChanges, RoomType } from './rooms.model.ts';

const ROOM = `room.id, name, description, rules, type, created_by as "createdBy", slow_mode_seconds as "slowModeSeconds",
  member_count as "memberCount", last_seq as "lastSeq", last_message_at as "lastMessageAt", room.created_at as "createdAt"`;
const MEMBERSHIP = `room_id as "roomId", user_id as "userId", is_member as "isMember", muted_until as "mutedUntil",
  banned_at as "bannedAt", last_sent_at as "lastSentAt"`;

const findRooms = statement<Room>(
  'chat.rooms',
  `select ${ROOM} from chat.room where id = any($1) and deleted_at is null`,
);
const lockRooms = statement<Room>(
  'chat.lock-rooms',
  `select ${ROOM} from chat.room where id = any($1) and deleted_at is null order by id for no key update`,
);
const memberships = statement<Membership>(
  'chat.memberships',
  `select ${MEMBERSHIP} from chat.member where (room_id, user_id) in (select * from unnest($1::text[], $2::text[]))`,
);
/** Creators are always members of their rooms, which member_rooms finds. */
const lockOwn = statement<{ id: ObjectId }>(
  'chat.lock-own-rooms',
  `select id from chat.room where id in (
     select room.id from chat.member join chat.room on room.id = member.room_id
     where member.user_id = any($1) and member.is_member and room.created_by = member.user_id
       and room.deleted_at is null)
   order by id for no key update`,
);
/** Ignores current members and banned ones; returns the room of each new member. */
const join = statement<{ roomId: ObjectId }>(
  'chat.join',
  `with joined as (
     insert into chat.member as known (room_id, user_id, is_member, joined_at)
     select distinct room_id, user_id, true, $3::timestamptz
     from unnest($1::text[], $2::text[]) as asked (room_id, user_id) order by room_id, user_id
     on conflict (room_id, user_id) do update set is_member = true, joined_at = excluded.joined_at
     where not known.is_member and known.banned_at is null
     returning room_id),
   counted as (
     update chat.room set member_count = member_count + count.joined
     from (select room_id, count(*) as joined from joined group by room_id) count where id = count.room_id)
   select room_id as "roomId" from joined`,
);

/** Rooms left per transaction; it blocks senders in these rooms. */
const ROOMS_AT_ONCE = 100;

export function roomStore(database: Database) {
  return {
    async find(id: ObjectId, queries: Queries = database): Promise<Room | undefined> {
      return await queries.first(findRooms, [[id]]);
    },
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Room[]> => queries.all(findRooms, [ids]),
    /** Locks rooms, in id order, against concurrent messages and changes until the transaction ends. */
    lock: (tx: Transaction, ids: ObjectId[]): Promise<Room[]> => tx.all(lockRooms, [ids]),

    /** Locks all rooms that these members created, in id order. */
    lockOwn: async (tx: Transaction, userIds: ObjectId[]): Promise<void> =>
      void (await tx.all(lockOwn, [userIds])),

    memberships: (
      all: { roomId: ObjectId; userId: ObjectId }[],
      queries: Queries = database,
    ): Promise<Membership[]> =>
      queries.all(memberships, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId)]),

    async insert(
      tx: Transaction,
      room: Pick<Room, 'id' | 'name' | 'description' | 'type' | 'createdBy'>,
      at: Date,
    ): Promise<void> {
      const { id, name, description, type, createdBy } = room;
      await tx.insert('chat.room', { id, name, description, type, createdBy, createdAt: at, updatedAt: at });
    },

    /** Returns the room of an educator, if it exists. */
    async ofEducator(educatorId: ObjectId): Promise<ObjectId | undefined> {
      const row = await database.first<{ id: ObjectId }>(
        'select id from chat.room where educator_id = $1 and deleted_at is null',
        [educatorId],
      );
      return row?.id;
    },

    /** Makes the room the educator's own. A concurrent second claim fails on `room_of_educator`. */
    async claim(tx: Transaction, id: ObjectId, educatorId: ObjectId): Promise<void> {
      await tx.execute('update chat.room set educator_id = $2 where id = $1', [id, educatorId]);
    },

    async update(
      id: ObjectId,
      changes: RoomChanges,
      at: Date,
      queries: Queries = database,
    ): Promise<Room | undefined> {
      const { name, description, type, slowModeSeconds, rules } = changes;
      return queries.first<Room>(
        `update chat.room set name = coalesce($2, name), description = coalesce($3, description),
           type = coalesce($4, type), slow_mode_seconds = coalesce($5, slow_mode_seconds), updated_at = $6,
           rules = coalesce($7, rules)
         where id = $1 and deleted_at is null returning ${ROOM}`,
        [id, name ?? null, description ?? null, type ?? null, slowModeSeconds ?? null, at, rules ?? null],
      );
    },

    /** Deletes a room; returns whether it existed. Its messages are kept for the handling of reports. */
    async delete(tx: Transaction, id: ObjectId, at: Date): Promise<boolean> {
      return (
        (await tx.execute(
          'update chat.room set deleted_at = $2 where id = $1 and deleted_at is null returning id',
          [id, at],
        )) > 0
      );
    },

    /** Returns rooms, newest first: public ones and those that `visibleTo` is in, or all without it. */
    async pageOf(
      { type, visibleTo }: { type?: RoomType; visibleTo?: ObjectId },
      request: PageRequest,
    ): Promise<Page<Room>> {
      const from = `chat.room where deleted_at is null and ($1::text is null or type = $1)
        and ($2::text is null or type = 'public'
          or exists (select from chat.member where room_id = room.id and user_id = $2 and is_member))`;
      const values = [type ?? null, visibleTo ?? null];
      return readPage(database, { columns: ROOM, from, orderBy: 'id desc' }, values, request);
    },

    /** Adds members, except current and banned ones; returns the room of each new member. */
    join: (
      queries: Queries,
      all: { roomId: ObjectId; userId: ObjectId }[],
      at: Date,
    ): Promise<{ roomId: ObjectId }[]> =>
      queries.all(join, [all.map(({ roomId }) => roomId), all.map(({ userId }) => userId), at]),

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
    /** Returns the rooms of one member that another is banned from. */
    async bannedFrom(queries: Queries, creatorId: ObjectId, userId: ObjectId): Promise<ObjectId[]> {
      const rows = await queries.all<{ id: ObjectId }>(
        `select room.id from chat.member join chat.room on room.id = member.room_id
         where member.user_id = $2 and member.banned_at is not null and room.created_by = $1`,
        [creatorId, userId],
      );
      return rows.map(({ id }) => id);
    },

    /** Removes a member from a room; returns whether they were in it. */
    async leave(tx: Transaction, roomId: ObjectId, userId: ObjectId): Promise<boolean> {
      return (
        (await tx.execute(
          `with gone as (
           update chat.member set is_member = false where room_id = $1 and user_id = $2 and is_member returning room_id),
         counted as (update chat.room set member_count = member_count - 1 where id in (select room_id from gone))
         select room_id from gone`,
          [roomId, userId],
        )) > 0
      );
    },

    /** Removes a member from some of their rooms; returns how many, 0 when they are in none. */
    async leaveSome(tx: Transaction, userId: ObjectId): Promise<number> {
      const rows = await tx.all<{ roomId: ObjectId }>(
        `select room_id from chat.member where user_id = $1 and is_member
         order by room_id limit ${ROOMS_AT_ONCE}`,
        [userId],
      );
      const roomIds = rows.map(({ roomId }) => roomId);
      // Locked before the counts are decremented, in the order in which senders lock them.
      await tx.all(lockRooms, [roomIds]);
      await tx.execute(
        `with gone as (
           delete from chat.member where user_id = $1 and room_id = any($2) and is_member returning room_id)
         update chat.room set member_count = member_count - 1 where id in (select room_id from gone)`,
        [userId, roomIds],
      );
      return roomIds.length;
    },

    /** Returns members in id order. */
    async membersOf(roomId: ObjectId, request: PageRequest): Promise<Member[]> {
      return database.all<Member>(
        `select user_id as "userId", joined_at as "joinedAt", muted_until as "mutedUntil" from chat.member
         where room_id = $1 and is_member order by user_id limit $2 offset $3`,
        [roomId, request.limit, offsetOf(request)],
      );
    },

    /** Mutes a member until an instant; null unmutes. */
    async mute(tx: Transaction, roomId: ObjectId, userId: ObjectId, until: Date | null): Promise<void> {
      await tx.execute(
        `insert into chat.member (room_id, user_id, is_member, muted_until) values ($1, $2, false, $3)
         on conflict (room_id, user_id) do update set muted_until = excluded.muted_until`,
        [roomId, userId, until],
      );
    },

    /** Bans a member as of an instant; null lifts the ban. The caller must end the membership. */
    async ban(tx: Transaction, roomId: ObjectId, userId: ObjectId, since: Date | null): Promise<void> {
      await tx.execute(
        `insert into chat.member (room_id, user_id, is_member, banned_at) values ($1, $2, false, $3)
         on conflict (room_id, user_id) do update set banned_at = excluded.banned_at`,
        [roomId, userId, since],
      );
    },
  };
}

export type RoomStore = ReturnType<typeof roomStore>;
