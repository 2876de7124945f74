import type { Database } from '../../../kernel/database/database.ts';
import { BEYOND_IDS, offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Educator } from '../educators.model.ts';
import type { Announcement } from './announcements.model.ts';

const COLUMNS = `a.id, a.educator_id as "educatorId", a.title, a.content, a.category, a.priority, a.pinned, a.tags,
  a.multimedia, a.likes, a.comments, a.created_at as "createdAt", a.updated_at as "updatedAt"`;
const VISIBLE = `educators.announcement a join educators.educator e on e.id = a.educator_id and e.is_visible`;

/** An announcement with the data of its educator that its notification needs. */
type AnnouncementToNotify = Pick<Announcement, 'id' | 'title' | 'content' | 'priority'> &
  Pick<Educator, 'firstName' | 'lastName' | 'educatorSince'>;

/** The properties that an update writes. */
const CONTENT = [
  'title',
  'content',
  'category',
  'priority',
  'pinned',
  'tags',
  'multimedia',
  'updatedAt',
] as const;
const written = (one: Announcement) => ({ ...one, multimedia: JSON.stringify(one.multimedia) });

const find = statement<Announcement>(
  'educators.find-announcement',
  `select ${COLUMNS} from ${VISIBLE} where a.id = $1`,
);
const findAll = statement<Announcement>(
  'educators.find-announcements',
  `select ${COLUMNS} from ${VISIBLE} where a.id = any($1)`,
);
const toNotify = statement<AnnouncementToNotify>(
  'educators.announcements-to-notify',
  `select a.id, a.title, a.content, a.priority, e.first_name, e.last_name, e.educator_since from ${VISIBLE}
   where a.id = any($1)`,
);
const lock = statement<Announcement>(
  'educators.lock-announcement',
  `select ${COLUMNS} from educators.announcement a where a.id = $1 for no key update`,
);
const countOne = statement<never>(
  'educators.count-announcement',
  `update educators.tally set announcements = announcements + 1, newest_id = greatest(newest_id, $1::text)
   where educator_id = $2`,
);
/** Publishing updates this row, so announcements published before the lock are visible after it. */
const lockTally = statement<{ educatorId: ObjectId }>(
  'educators.lock-tally-of-announcement',
  `select educator_id as "educatorId" from educators.tally
   where educator_id = (select educator_id from educators.announcement where id = $1) for no key update`,
);
const remove = statement<never>(
  'educators.delete-announcement',
  `with gone as (delete from educators.announcement where id = $1 returning educator_id)
   update educators.tally t set announcements = t.announcements - 1,
     newest_id = case when t.newest_id = $1 then (
       select max(x.id) from educators.announcement x where x.educator_id = t.educator_id and x.id <> $1)
       else t.newest_id end
   from gone where t.educator_id = gone.educator_id`,
);
/** Deletes likes and comments of a deleted announcement, a few thousand rows at a time. */
const forget = statement<{ rows: number }>(
  'educators.forget-announcement',
  `with unliked as (
     delete from educators.announcement_like where (announcement_id, user_id) in (
       select announcement_id, user_id from educators.announcement_like where announcement_id = $1 limit $2)
     returning 1),
   uncommented as (
     delete from educators.comment where id in (
       select id from educators.comment where announcement_id = $1 limit $2)
     returning 1)
   select (select count(*) from unliked) + (select count(*) from uncommented) as rows`,
);
/**
 * Served by announcement_pinned_first; `$2` and `$3` are the position to continue after. Where `$2` is null, that is where
 * the announcement stands now, and among those that are not pinned once it was deleted.
 */
const ofEducator = statement<Announcement>(
  'educators.announcements-of',
  `select ${COLUMNS} from educators.announcement a
   where a.educator_id = $1 and (a.pinned, a.id) < (
     coalesce($2::boolean, (
       select pinned from educators.announcement where id = $3::text and educator_id = $1), false),
     $3::text)
   order by a.pinned desc, a.id desc limit $4 offset $5`,
);
/**
 * The newest n announcements are by at most n educators: those with the newest announcements. Their ids are merged
 * before rows are read. Served by announcement_by_educator; the total is a sum of stored counts.
 */
const feed = statement<Announcement & { liked: boolean; total: number }>(
  'educators.feed',
  `with followed as materialized (
     select f.educator_id, t.announcements,
       case when t.newest_id < $2 then t.newest_id else (
         select max(x.id) from educators.announcement x where x.educator_id = f.educator_id and x.id < $2) end as newest_id
     from educators.follow f
       join educators.educator e on e.id = f.educator_id and e.is_visible
       join educators.tally t on t.educator_id = f.educator_id
     where f.user_id = $1),
   foremost as (
     select educator_id from followed where newest_id is not null
     order by newest_id desc limit $3::bigint + $4::bigint)
   select ${COLUMNS}, (select sum(announcements)::bigint from followed) as total,
     exists (select from educators.announcement_like l where l.announcement_id = a.id and l.user_id = $1) as liked
   from (
     select newest.id from foremost cross join lateral (
       select x.id from educators.announcement x where x.educator_id = foremost.educator_id and x.id < $2
       order by x.id desc limit $3::bigint + $4::bigint) newest
     order by newest.id desc limit $3 offset $4) page
   join educators.announcement a using (id) order by a.id desc`,
);
const feedTotal = statement<{ total: number }>(
  'educators.feed-total',
  `select coalesce(sum(t.announcements), 0)::bigint as total from educators.follow f
     join educators.educator e on e.id = f.educator_id and e.is_visible
     join educators.tally t on t.educator_id = f.educator_id
   where f.user_id = $1`,
);

/** SQL of announcements and their likes. */
export function announcementStore(database: Database) {
  return {
    /** Returns an announcement of a visible educator. */
    find: (id: ObjectId, queries: Queries = database): Promise<Announcement | undefined> =>
      queries.first(find, [id]),
    /** Returns those of the announcements whose notifications are sent: their educators are visible. */
    toNotify: (ids: ObjectId[], queries: Queries) => queries.all(toNotify, [ids]),
    /** Returns those of the announcements whose educators are visible. */
    findAll: (ids: ObjectId[], queries: Queries): Promise<Announcement[]> => queries.all(findAll, [ids]),
    async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ id: ObjectId }>(
        'select id from educators.announcement where id > $1 order by id limit $2',
        [id, limit],
      );
      return rows.map((row) => row.id);
    },
    async idsOf(educatorId: ObjectId, queries: Queries): Promise<ObjectId[]> {
      const rows = await queries.all<{ id: ObjectId }>(
        'select id from educators.announcement where educator_id = $1',
        [educatorId],
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Returns some announcements of an educator in the order of their ids, after an id, and keeps them until the
     * transaction ends; waits for concurrent deletions, and leaves those announcements out.
     */
    async keepSome(
      tx: Transaction,
      educatorId: ObjectId,
      after: ObjectId,
      limit: number,
    ): Promise<ObjectId[]> {
      const rows = await tx.all<{ id: ObjectId }>(
        `select id from educators.announcement where educator_id = $1 and id > $2 order by id limit $3 for share`,
        [educatorId, after, limit],
      );
      return rows.map(({ id }) => id);
    },
    /** Locks and returns an announcement, also one of a hidden educator. */
    lock: (tx: Transaction, id: ObjectId): Promise<Announcement | undefined> => tx.first(lock, [id]),
    async insert(tx: Transaction, one: Announcement): Promise<void> {
      await tx.execute(countOne, [one.id, one.educatorId]);
      await tx.insert('educators.announcement', written(one), ['id', 'educatorId', 'createdAt', ...CONTENT]);
    },
    async update(tx: Transaction, one: Announcement): Promise<void> {
      await tx.update('educators.announcement', written(one), CONTENT);
    },
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.all(lockTally, [id]);
      await tx.execute(remove, [id]);
    },
    /** Deletes some likes and comments of a deleted announcement; returns how many. */
    forgetSome: (id: ObjectId, limit: number): Promise<number> => database.count(forget, [id, limit]),
    countPinned: (tx: Transaction, educatorId: ObjectId, except: ObjectId): Promise<number> =>
      tx.count('select count(*) from educators.announcement where educator_id = $1 and pinned and id <> $2', [
        educatorId,
        except,
      ]),

    /**
     * Returns an educator's announcements: pinned ones first, then newest first. They begin after a position, which need
     * not be one of an announcement.
     */
    async pageOf(
      educatorId: ObjectId,
      request: PageRequest,
      after?: { pinned: boolean | null; id: ObjectId },
    ): Promise<Page<Announcement>> {
      const place = after ? [after.pinned, after.id] : [true, BEYOND_IDS];
      const [total, items] = await Promise.all([
        database.count('select announcements from educators.tally where educator_id = $1', [educatorId]),
        database.all(ofEducator, [educatorId, ...place, request.limit, offsetOf(request)]),
      ]);
      return { ...request, items, total };
    },

    /** Returns the announcements of the educators whom a member follows, newest first, with the member's likes. */
    async feedOf(userId: ObjectId, request: PageRequest): Promise<Page<Announcement & { liked: boolean }>> {
      const { before = BEYOND_IDS, limit } = request;
      const rows = await database.all(feed, [userId, before, limit, offsetOf(request)]);
      const total = rows[0]?.total ?? (await database.count(feedTotal, [userId]));
      return { ...request, items: rows.map(({ total: _total, ...one }) => one), total };
    },

    someOf: (tx: Transaction, educatorId: ObjectId, limit: number): Promise<Announcement[]> =>
      tx.all<Announcement>(
        `select ${COLUMNS} from educators.announcement a where a.educator_id = $1 order by a.id limit $2`,
        [educatorId, limit],
      ),
  };
}

export type AnnouncementStore = ReturnType<typeof announcementStore>;
