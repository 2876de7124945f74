import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Like } from './announcements.model.ts';

const lockAll = statement<{ id: ObjectId }>(
  'educators.lock-announcements',
  'select id from educators.announcement where id = any($1) order by id for no key update',
);

const like = statement<Like>(
  'educators.like',
  `with added as (
     insert into educators.announcement_like (announcement_id, user_id, created_at)
     select id, user_id, $3::timestamptz from unnest($1::text[], $2::text[]) as asked (id, user_id) order by id, user_id
     on conflict do nothing returning announcement_id as id, user_id),
   counted as (
     update educators.announcement a set likes = a.likes + m.more
     from (select id, count(*) as more from added group by id) m where a.id = m.id)
   select id, user_id as "userId" from added`,
);

const unlike = statement<Like>(
  'educators.unlike',
  `with gone as (
     delete from educators.announcement_like
     where (announcement_id, user_id) in (select * from unnest($1::text[], $2::text[]))
     returning announcement_id as id, user_id),
   counted as (
     update educators.announcement a set likes = a.likes - f.fewer
     from (select id, count(*) as fewer from gone group by id) f where a.id = f.id)
   select id, user_id as "userId" from gone`,
);

/** SQL of likes of announcements; announcements store their counts. */
export function likeStore(database: Database) {
  return {
    /** Returns which of the announcements a member likes. */
    async likedBy(userId: ObjectId, ids: ObjectId[]): Promise<Set<ObjectId>> {
      const rows = await database.all<{ id: ObjectId }>(
        'select announcement_id as id from educators.announcement_like where user_id = $1 and announcement_id = any($2)',
        [userId, ids],
      );
      return new Set(rows.map(({ id }) => id));
    },
    /** Adds likes of announcements that exist and counts them; returns the new ones. */
    async like(tx: Transaction, likes: Like[], at: Date): Promise<Like[]> {
      const there = new Set((await tx.all(lockAll, [likes.map(({ id }) => id)])).map(({ id }) => id));
      const possible = likes.filter(({ id }) => there.has(id));
      return tx.all(like, [...columnsOf(possible, 'id', 'userId'), at]);
    },
    async unlike(tx: Transaction, likes: Like[]): Promise<Like[]> {
      await tx.all(lockAll, [likes.map(({ id }) => id)]);
      return tx.all(unlike, columnsOf(likes, 'id', 'userId'));
    },
    async likesOf(ids: ObjectId[], queries: Queries = database): Promise<Map<ObjectId, number>> {
      const rows = await queries.all<{ id: ObjectId; likes: number }>(
        'select id, likes from educators.announcement where id = any($1)',
        [ids],
      );
      return new Map(rows.map(({ id, likes }) => [id, likes]));
    },
    someLikedBy: (tx: Transaction, userId: ObjectId, limit: number): Promise<Like[]> =>
      tx.all<Like>(
        `select announcement_id as id, user_id from educators.announcement_like where user_id = $1
         order by announcement_id limit $2`,
        [userId, limit],
      ),
  };
}

export type LikeStore = ReturnType<typeof likeStore>;
