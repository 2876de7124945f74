import type { Database } from '../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  offsetOf,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import { searchPatterns } from '../../kernel/database/searchable.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { EverRoom, Room, RoomChanges, RoomDraft, RoomType } from './rooms.model.ts';

const ROOM = `room.id, name, description, rules, type, created_by as "createdBy", slow_mode_seconds as "slowModeSeconds",
  member_count as "memberCount", last_seq as "lastSeq", room.created_at as "createdAt",
  room.updated_at as "updatedAt"`;

const findRooms = statement<Room>(
  'chat.rooms',
  `select ${ROOM} from chat.room where id = any($1) and deleted_at is null`,
);
/** Locks rooms in the order of their ids, as all changes of rooms and messages do, to avoid deadlocks. */
export const lockRooms = statement<Room>(
  'chat.lock-rooms',
  `select ${ROOM} from chat.room where id = any($1) and deleted_at is null order by id for no key update`,
);
/** Finds the rooms by member_rooms, since creators are always members of their rooms. */
const lockOwn = statement<{ id: ObjectId }>(
  'chat.lock-own-rooms',
  `select id from chat.room where id in (
     select room.id from chat.member join chat.room on room.id = member.room_id
     where member.user_id = any($1) and member.is_member and room.created_by = member.user_id
       and room.deleted_at is null)
   order by id for no key update`,
);
/** Found as in `lockOwn`. */
const countOwn = statement<{ count: number }>(
  'chat.count-own-rooms',
  `select count(*) from chat.member join chat.room on room.id = member.room_id
   where member.user_id = $1 and member.is_member and room.created_by = $1 and room.deleted_at is null`,
);

/** Whether a room has a name that one of these patterns finds, or there are none; served by room_by_name. */
const isNamed = (patterns: string): string =>
  `(${patterns}::text[] is null or lower(name) like any(${patterns}))`;

/** The public rooms, without those from which the member is banned; served by room_by_type and member_bans. */
const PUBLIC = `chat.room where type = 'public' and deleted_at is null and ($1::text is null or $1 = 'public')
  and ${isNamed('$3')}
  and id <> all (array(select room_id from chat.member where user_id = $2 and banned_at is not null))`;
const OWN = `chat.member join chat.room on room.id = room_id
  where user_id = $2 and is_member and type <> 'public' and deleted_at is null and ($1::text is null or type = $1)
  and ${isNamed('$3')}`;
const ACTIVE_AT = 'coalesce(newest.created_at, room.created_at)';
const JOINED_ROOMS = `chat.member join chat.room on room.id = room_id
  where user_id = $1 and is_member and deleted_at is null and ($2::text is null or type = $2) and ${isNamed('$3')}`;
/** The rooms of a member: newest first, by member_rooms, or by their newest messages, which message_listing finds. */
const JOINED = {
  newest: {
    from: JOINED_ROOMS,
    orderBy: 'room_id desc',
    id: 'room_id',
  },
  active: {
    from: `chat.member join chat.room on room.id = room_id
      left join lateral (
        select message.created_at from chat.message where message.room_id = room.id and message.deleted_at is null
        order by seq desc limit 1) newest on true
      where member.user_id = $1 and is_member and room.deleted_at is null and ($2::text is null or type = $2)
        and ${isNamed('$3')}`,
    counted: JOINED_ROOMS,
    orderBy: `${ACTIVE_AT} desc, room.id desc`,
    moment: `${ACTIVE_AT}, room.id`,
  },
};

/**
 * Of public rooms only as many ids are read as the page may need, by room_by_type: many may be public, and many may not
 * be. Served by member_rooms for the others.
 */
const VISIBLE = `select ${ROOM} from chat.room where room.id in (
    (select id from ${PUBLIC} and ($4::text is null or id < $4) order by id desc limit $5) union all
    select room.id from ${OWN} and ($4::text is null or room.id < $4))
  order by id desc limit $6 offset $7`;
const COUNT_VISIBLE = `select (select count(*) from (select from ${PUBLIC} limit $4) as counted)
  + (select count(*) from ${OWN})`;

const INSERTED = [
  'id',
  'name',
  'description',
  'rules',
  'type',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

/** Which rooms to list. */
export interface RoomFilter {
  type?: RoomType | undefined;
  /** A part of their name. */
  search?: string | undefined;
}

const patternsOf = (search: string | undefined): string[] | null =>
  search === undefined ? null : searchPatterns(search);

/** SQL of rooms. */
export function roomStore(database: Database) {
  /** Returns public rooms and those that a member is in, newest first. */
  async function visiblePage(
    { type, search, visibleTo }: RoomFilter & { visibleTo: ObjectId },
    request: PageRequest,
  ): Promise<Page<Room>> {
    const values = [type ?? null, visibleTo, patternsOf(search)];
    const offset = offsetOf(request);
    const place = [request.before ?? null, offset + request.limit, request.limit, offset];
    const [items, counted] = await Promise.all([
      database.all<Room>(VISIBLE, [...values, ...place]),
      database.count(COUNT_VISIBLE, [...values, MOST_COUNTED + 1]),
    ]);
    return { ...request, items, ...boundedTotal(counted) };
  }

  return {
    async find(id: ObjectId, queries: Queries = database): Promise<Room | undefined> {
      return await queries.first(findRooms, [[id]]);
    },
    /** Returns a room, also a deleted one. */
    findEver: (id: ObjectId): Promise<EverRoom | undefined> =>
      database.first<EverRoom>(`select ${ROOM}, deleted_at, public_until from chat.room where id = $1`, [id]),
    findAll: (ids: ObjectId[], queries: Queries = database): Promise<Room[]> => queries.all(findRooms, [ids]),
    /** Locks rooms, in id order, against concurrent messages and changes until the transaction ends. */
    lock: (tx: Transaction, ids: ObjectId[]): Promise<Room[]> => tx.all(lockRooms, [ids]),

    /** Locks all rooms that these members created, in id order. */
    lockOwn: async (tx: Transaction, userIds: ObjectId[]): Promise<void> =>
      void (await tx.all(lockOwn, [userIds])),

    /** Returns how many rooms a member has created. */
    countOwn: (tx: Transaction, userId: ObjectId): Promise<number> => tx.count(countOwn, [userId]),

    async insert(tx: Transaction, room: RoomDraft & Pick<Room, 'id' | 'createdBy'>, at: Date): Promise<void> {
      await tx.insert('chat.room', { rules: [], ...room, createdAt: at, updatedAt: at }, INSERTED);
    },

    /** Returns the rooms that a member is in; by activity all of them are read. */
    joinedPage: (
      { type, search, userId }: RoomFilter & { userId: ObjectId },
      by: keyof typeof JOINED,
      request: PageRequest,
    ): Promise<Page<Room>> => {
      const values = [userId, type ?? null, patternsOf(search)];
      return readPage(database, { columns: ROOM, ...JOINED[by], isGrowing: true }, values, request);
    },

    /** Returns the room of an educator, if it exists. */
    async ofEducator(educatorId: ObjectId, queries: Queries = database): Promise<ObjectId | undefined> {
      const row = await queries.first<{ id: ObjectId }>(
        'select id from chat.room where educator_id = $1 and deleted_at is null',
        [educatorId],
      );
      return row?.id;
    },

    /** Marks the room as the educator's. A concurrent second claim violates `room_of_educator`. */
    async claim(tx: Transaction, id: ObjectId, educatorId: ObjectId): Promise<void> {
      await tx.execute('update chat.room set educator_id = $2 where id = $1', [id, educatorId]);
    },

    /** Renames the room of an educator if it has the first of these names; returns its id if it had. */
    async renameOfEducator(
      tx: Transaction,
      educatorId: ObjectId,
      { from, to }: { from: string; to: string },
      at: Date,
    ): Promise<ObjectId | undefined> {
      const row = await tx.first<{ id: ObjectId }>(
        `update chat.room set name = $3, updated_at = $4
         where educator_id = $1 and name = $2 and deleted_at is null returning id`,
        [educatorId, from, to, at],
      );
      return row?.id;
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
           rules = coalesce($7, rules),
           public_until = case when type = 'public' and $4 <> 'public' then $6 else public_until end
         where id = $1 and deleted_at is null returning ${ROOM}`,
        [id, name ?? null, description ?? null, type ?? null, slowModeSeconds ?? null, at, rules ?? null],
      );
    },

    /** Deletes a room; returns whether it existed. Its messages are kept for open reports. */
    async delete(tx: Transaction, id: ObjectId, at: Date): Promise<boolean> {
      return (
        (await tx.execute(
          'update chat.room set deleted_at = $2 where id = $1 and deleted_at is null returning id',
          [id, at],
        )) > 0
      );
    },

    /**
     * Returns rooms, newest first: public ones and those of which `visibleTo` is a member, or all if it is undefined.
     */
    async pageOf(
      { visibleTo, ...filter }: RoomFilter & { visibleTo?: ObjectId },
      request: PageRequest,
    ): Promise<Page<Room>> {
      if (visibleTo !== undefined) return visiblePage({ ...filter, visibleTo }, request);
      const from = `chat.room where deleted_at is null and ($1::text is null or type = $1) and ${isNamed('$2')}`;
      const values = [filter.type ?? null, patternsOf(filter.search)];
      return readPage(
        database,
        { columns: ROOM, from, orderBy: 'id desc', isGrowing: true },
        values,
        request,
      );
    },
  };
}

export type RoomStore = ReturnType<typeof roomStore>;
