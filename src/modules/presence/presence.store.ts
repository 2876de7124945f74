import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Present } from './contract.ts';

const AS_PRESENT = 'room_id as "roomId", user_id as "userId"';

const enter = statement<Present>(
  'presence.enter',
  `with added as (
     insert into presence.present (room_id, user_id, process_id)
     select distinct room_id, user_id, $3 from unnest($1::text[], $2::text[]) as asked (room_id, user_id)
     order by room_id, user_id on conflict do nothing)
   select ${AS_PRESENT} from presence.absent($1::text[], $2::text[])`,
);
const leave = statement<never>('presence.leave', 'select presence.leave($1::text[], $2::text[], $3)');
const absent = statement<Present>(
  'presence.absent',
  `select ${AS_PRESENT} from presence.absent($1::text[], $2::text[])`,
);
const counts = statement<{ roomId: ObjectId; active: number }>(
  'presence.counts',
  `select room_id as "roomId", count(distinct user_id) as active from presence.present
   where room_id = any($1) group by room_id`,
);
const members = statement<Present>(
  'presence.members',
  `select asked.room_id as "roomId", present.user_id as "userId"
   from unnest($1::text[]) as asked (room_id)
   cross join lateral (
     select distinct user_id from presence.present where present.room_id = asked.room_id
     order by user_id limit $2) present`,
);
const toTell = statement<{ userId: ObjectId; otherId: ObjectId }>(
  'presence.blocks-to-tell',
  `select user_id as "userId", other_id as "otherId" from presence.block_to_tell where user_id = any($1)`,
);
const recordHeartbeat = statement<{ isNew: boolean }>(
  'presence.seen',
  `insert into presence.process (id, seen_at) values ($1, now())
   on conflict (id) do update set seen_at = now() returning xmax = 0 as "isNew"`,
);

const columnsOf = (all: Present[]): [ObjectId[], ObjectId[]] => [
  all.map(({ roomId }) => roomId),
  all.map(({ userId }) => userId),
];

/** Uses the real time of the database, regardless of the clock given to the platform. */
export function presenceStore(database: Database, processId: ObjectId) {
  /** Returns those who are present in their room through no process. */
  const absentOf = (all: Present[]): Promise<Present[]> => database.all(absent, columnsOf(all));

  return {
    absentOf,

    /** Records presence; returns those who were not present through any process before. */
    enter: (all: Present[]): Promise<Present[]> => database.all(enter, [...columnsOf(all), processId]),

    /**
     * Removes presence; returns those now present through no process. Read in a second statement, so that of two
     * processes the later one sees the removal by the other.
     */
    async leave(all: Present[]): Promise<Present[]> {
      await database.execute(leave, [...columnsOf(all), processId]);
      return absentOf(all);
    },

    /** Returns how many members are in each of these rooms; omits empty rooms. */
    counts: (roomIds: ObjectId[]): Promise<{ roomId: ObjectId; active: number }[]> =>
      database.all(counts, [roomIds]),

    /** Returns the members of each of these rooms, at most `limit` per room. */
    members: (roomIds: ObjectId[], limit: number): Promise<Present[]> =>
      database.all(members, [roomIds, limit]),

    /** Returns the rooms in which both members are. */
    async sharedBy(userId: ObjectId, otherId: ObjectId): Promise<ObjectId[]> {
      const rows = await database.all<{ roomId: ObjectId }>(
        `select room_id as "roomId" from presence.present where user_id = $1
         intersect select room_id from presence.present where user_id = $2`,
        [userId, otherId],
      );
      return rows.map(({ roomId }) => roomId);
    },

    /** Notes that the rooms in which these two are have to be told of a block between them. */
    async noteBlock(tx: Transaction, userId: ObjectId, otherId: ObjectId): Promise<void> {
      await tx.execute(
        'insert into presence.block_to_tell (user_id, other_id) values ($1, $2), ($2, $1) on conflict do nothing',
        // In one order, so that two who block each other at the same moment do not wait for one another.
        [userId, otherId].sort(),
      );
    },
    /** Notes that the rooms have been told. */
    async blockTold(userId: ObjectId, otherId: ObjectId): Promise<void> {
      await database.execute(
        'delete from presence.block_to_tell where (user_id, other_id) in (($1, $2), ($2, $1))',
        [userId, otherId],
      );
    },
    /** Returns, for those of these members of whose blocks rooms have to be told, from whom they part them. */
    async blocksToTell(userIds: ObjectId[]): Promise<Map<ObjectId, ObjectId[]>> {
      const byMember = Map.groupBy(await database.all(toTell, [userIds]), ({ userId }) => userId);
      return new Map([...byMember].map(([userId, of]) => [userId, of.map(({ otherId }) => otherId)]));
    },

    /** Records that this process is alive; returns whether it was unknown. */
    async seen(): Promise<boolean> {
      return (await database.first(recordHeartbeat, [processId]))?.isNew ?? false;
    },

    /** Deletes dead processes; returns the members who are no longer present anywhere. */
    async sweep(longestSilenceSeconds: number): Promise<Present[]> {
      const rows = await database.all<Present>(
        `with dead as (
           delete from presence.process where id in (
             select id from presence.process where seen_at < now() - $1 * interval '1 second' for update skip locked)
           returning id)
         delete from presence.present using dead where process_id = dead.id returning ${AS_PRESENT}`,
        [longestSilenceSeconds],
      );
      return rows.length > 0 ? absentOf(rows) : [];
    },

    /** Deletes this process; returns the members who are no longer present anywhere. */
    async removeProcess(): Promise<Present[]> {
      const rows = await database.all<Present>(
        `with gone as (delete from presence.process where id = $1)
         delete from presence.present where process_id = $1 returning ${AS_PRESENT}`,
        [processId],
      );
      return rows.length > 0 ? absentOf(rows) : [];
    },
  };
}
