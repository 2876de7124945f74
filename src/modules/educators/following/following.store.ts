import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Follow } from './following.model.ts';

const FOLLOW = `user_id as "userId", educator_id as "educatorId", followed_at as "followedAt"`;

/** Locks in the order of ids, so that batches cannot deadlock. */
const lockTallies = statement<{ found: number }>(
  'educators.lock-tallies',
  'select 1 as found from educators.tally where educator_id = any($1) order by educator_id for no key update',
);
const follow = statement<Follow>(
  'educators.follow',
  `with added as (
     insert into educators.follow (user_id, educator_id, followed_at)
     select user_id, educator_id, $3::timestamptz
     from unnest($1::text[], $2::text[]) as asked (user_id, educator_id) order by user_id, educator_id
     on conflict do nothing returning user_id, educator_id, followed_at),
   counted as (
     update educators.tally t set followers = t.followers + a.more
     from (select educator_id, count(*) as more from added group by educator_id) a
     where t.educator_id = a.educator_id)
   select ${FOLLOW} from added`,
);
const unfollow = statement<Follow>(
  'educators.unfollow',
  `with gone as (
     delete from educators.follow
     where (user_id, educator_id) in (select * from unnest($1::text[], $2::text[]))
     returning user_id, educator_id, followed_at),
   counted as (
     update educators.tally t set followers = t.followers - g.fewer
     from (select educator_id, count(*) as fewer from gone group by educator_id) g
     where t.educator_id = g.educator_id)
   select ${FOLLOW} from gone`,
);
const find = statement<Follow>(
  'educators.find-follows',
  `select ${FOLLOW} from unnest($1::text[], $2::text[]) as asked (user_id, educator_id)
   join educators.follow using (user_id, educator_id)`,
);

type Pair = Pick<Follow, 'userId' | 'educatorId'>;

/** SQL of follows. */
export function followStore(database: Database) {
  const lockAll = (tx: Transaction, pairs: Pair[]) =>
    tx.all(lockTallies, [[...new Set(pairs.map(({ educatorId }) => educatorId))]]);

  return {
    findAll: (pairs: Pair[], queries: Pick<Database, 'all'> = database): Promise<Follow[]> =>
      queries.all(find, columnsOf(pairs, 'userId', 'educatorId')),
    /** Locks the counts of educators; concurrent follows, unfollows and blocks wait. */
    lock: async (tx: Transaction, pairs: Pair[]): Promise<void> => void (await lockAll(tx, pairs)),
    /** Adds follows and counts them; returns the new ones. The counts must be locked. */
    add: (tx: Transaction, pairs: Pair[], at: Date): Promise<Follow[]> =>
      tx.all(follow, [...columnsOf(pairs, 'userId', 'educatorId'), at]),
    /** Removes follows and updates the counts; returns the removed ones. */
    async remove(tx: Transaction, pairs: Pair[]): Promise<Follow[]> {
      await lockAll(tx, pairs);
      return tx.all(unfollow, columnsOf(pairs, 'userId', 'educatorId'));
    },
    /** Like `remove`, for a caller that holds the lock of the counts. */
    removeLocked: (tx: Transaction, pairs: Pair[]): Promise<Follow[]> =>
      tx.all(unfollow, columnsOf(pairs, 'userId', 'educatorId')),
    /** Returns the visible educators whom a member follows, newest follow first. */
    pageOf: (userId: ObjectId, request: PageRequest): Promise<Page<Follow>> =>
      readPage(
        database,
        {
          columns: FOLLOW,
          from: `educators.follow f join educators.educator e on e.id = f.educator_id and e.is_visible
            where user_id = $1`,
          orderBy: 'followed_at desc, educator_id desc',
          moment: 'followed_at, educator_id',
        },
        [userId],
        request,
      ),
    /** Returns the followers of an educator, newest follow first; served by followers. The total is a stored count. */
    followersOf: (educatorId: ObjectId, request: PageRequest): Promise<Page<Follow>> =>
      readPage(
        database,
        {
          columns: FOLLOW,
          from: 'educators.follow where educator_id = $1',
          orderBy: 'followed_at desc, user_id desc',
          moment: 'followed_at, user_id',
          count: 'select followers from educators.tally where educator_id = $1',
        },
        [educatorId],
        request,
      ),
    /** Returns some of the educators whom a member follows, including hidden ones. */
    async someOf(tx: Transaction, userId: ObjectId, limit: number): Promise<Pair[]> {
      const rows = await tx.all<{ educatorId: ObjectId }>(
        'select educator_id from educators.follow where user_id = $1 order by educator_id limit $2',
        [userId, limit],
      );
      return rows.map(({ educatorId }) => ({ userId, educatorId }));
    },
  };
}

export type FollowStore = ReturnType<typeof followStore>;
