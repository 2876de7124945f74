import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Educator } from '../educators.model.ts';
import type { Story, StoryGroup, StoryOfViewer, Viewing } from './stories.model.ts';

const COLUMNS = `s.id, s.educator_id as "educatorId", s.media_type as "mediaType", s.media_url as "mediaUrl",
  s.thumbnail_url as "thumbnailUrl", s.duration, s.views as "viewCount", s.expires_at as "expiresAt",
  s.created_at as "createdAt"`;
const VIEWED = `exists (select from educators.story_view v where v.story_id = s.id and v.user_id = $1) as viewed`;

/** A story with the data of its educator that its notification needs. */
type StoryToNotify = Pick<Story, 'id'> & Pick<Educator, 'firstName' | 'lastName' | 'educatorSince'>;

const find = statement<Story>(
  'educators.find-story',
  `select ${COLUMNS} from educators.story s join educators.educator e on e.id = s.educator_id and e.is_visible
   where s.id = $1 and s.expires_at > $2`,
);
const findFor = statement<StoryOfViewer>(
  'educators.find-story-for',
  `select ${COLUMNS}, ${VIEWED} from educators.story s
     join educators.educator e on e.id = s.educator_id and e.is_visible
   where s.id = $2 and s.expires_at > $3`,
);
const toNotify = statement<StoryToNotify>(
  'educators.stories-to-notify',
  `select s.id, e.first_name, e.last_name, e.educator_since
   from educators.story s join educators.educator e on e.id = s.educator_id and e.is_visible
   where s.id = any($1) and s.expires_at > $2`,
);
const ofEducators = statement<StoryOfViewer>(
  'educators.stories-of',
  `select ${COLUMNS}, ${VIEWED} from educators.story s
   where s.educator_id = any($2) and s.expires_at > $3 order by s.id`,
);
/** Educators with unviewed stories first, then by the newest story. Served by story_by_educator. */
const groups = statement<StoryGroup>(
  'educators.story-groups',
  `select "educatorId", bool_or(not viewed) as "hasUnviewed"
   from (
     select s.id, s.educator_id as "educatorId", ${VIEWED}
     from educators.follow f
       join educators.educator e on e.id = f.educator_id and e.is_visible
       join educators.story s on s.educator_id = f.educator_id and s.expires_at > $2
     where f.user_id = $1) followed
   group by "educatorId" order by "hasUnviewed" desc, max(id) desc limit $3`,
);
const lockAll = statement<{ id: ObjectId; views: number }>(
  'educators.lock-stories',
  'select id, views from educators.story where id = any($1) and expires_at > $2 order by id for no key update',
);
const view = statement<{ id: ObjectId; views: number }>(
  'educators.view-stories',
  `with added as (
     insert into educators.story_view (story_id, user_id, viewed_at)
     select id, user_id, $3::timestamptz from unnest($1::text[], $2::text[]) as asked (id, user_id) order by id, user_id
     on conflict do nothing returning story_id as id),
   counted as (
     update educators.story s set views = s.views + m.more
     from (select id, count(*) as more from added group by id) m where s.id = m.id returning s.id, s.views)
   select id, views from counted`,
);

/** SQL of stories and their views. Every read omits expired stories. */
export function storyStore(database: Database) {
  return {
    find: (id: ObjectId, at: Date): Promise<Story | undefined> => database.first(find, [id, at]),
    /** Returns a story with the viewer's state. */
    findFor: (viewerId: ObjectId, id: ObjectId, at: Date): Promise<StoryOfViewer | undefined> =>
      database.first(findFor, [viewerId, id, at]),
    /** Returns those of the stories whose notifications are sent: their educators are visible. */
    toNotify: (ids: ObjectId[], at: Date, queries: Queries) => queries.all(toNotify, [ids, at]),
    async insert(tx: Transaction, one: Story): Promise<void> {
      await tx.insert('educators.story', one, [
        'id',
        'educatorId',
        'mediaType',
        'mediaUrl',
        'thumbnailUrl',
        'duration',
        'createdAt',
        'expiresAt',
      ]);
    },
    countOf: (tx: Transaction, educatorId: ObjectId, at: Date): Promise<number> =>
      tx.count('select count(*) from educators.story where educator_id = $1 and expires_at > $2', [
        educatorId,
        at,
      ]),
    /** Returns the stories of educators with the viewer's state, oldest first. */
    ofEducators: (viewerId: ObjectId, educatorIds: ObjectId[], at: Date): Promise<StoryOfViewer[]> =>
      database.all(ofEducators, [viewerId, educatorIds, at]),
    groupsOf: (userId: ObjectId, at: Date, limit: number): Promise<StoryGroup[]> =>
      database.all(groups, [userId, at, limit]),

    /** Records views, one for each member; returns the view counts of the stories that still exist. */
    async view(tx: Transaction, viewings: Viewing[], at: Date): Promise<Map<ObjectId, number>> {
      const there = await tx.all(lockAll, [viewings.map(({ id }) => id), at]);
      const counts = new Map(there.map(({ id, views }) => [id, views]));
      const possible = viewings.filter(({ id }) => counts.has(id));
      const counted = await tx.all(view, [...columnsOf(possible, 'id', 'userId'), at]);
      for (const { id, views } of counted) counts.set(id, views);
      return counts;
    },
    /** Returns the viewers of a story, latest first; served by story_viewing. The total is a stored count. */
    viewersOf: (id: ObjectId, request: PageRequest): Promise<Page<{ userId: ObjectId; viewedAt: Date }>> =>
      readPage(
        database,
        {
          columns: 'user_id as "userId", viewed_at as "viewedAt"',
          from: 'educators.story_view where story_id = $1',
          orderBy: 'viewed_at desc, user_id desc',
          moment: 'viewed_at, user_id',
          count: 'select views from educators.story where id = $1',
        },
        [id],
        request,
      ),

    /** Deletes a story; returns when it was published, or undefined if there was none. */
    remove: async (tx: Transaction, id: ObjectId): Promise<Date | undefined> =>
      (
        await tx.first<{ createdAt: Date }>(
          'delete from educators.story where id = $1 returning created_at',
          [id],
        )
      )?.createdAt,
    /** Returns some stories that have expired by an instant, earliest first; served by story_by_expiry. */
    expired: (queries: Queries, at: Date, limit: number): Promise<Story[]> =>
      queries.all<Story>(
        `select ${COLUMNS} from educators.story s where expires_at <= $1 order by expires_at limit $2`,
        [at, limit],
      ),
    someOf: (tx: Transaction, educatorId: ObjectId, limit: number): Promise<Story[]> =>
      tx.all<Story>(`select ${COLUMNS} from educators.story s where educator_id = $1 order by id limit $2`, [
        educatorId,
        limit,
      ]),
    /** Deletes some views of a story; returns how many. */
    forgetViews: (id: ObjectId, limit: number): Promise<number> =>
      database.execute(
        `delete from educators.story_view where (story_id, user_id) in (
           select story_id, user_id from educators.story_view where story_id = $1 limit $2)`,
        [id, limit],
      ),
    /** Deletes some views of a member, and counts them no longer; returns how many. */
    forgetViewsOf: (tx: Transaction, userId: ObjectId, limit: number): Promise<number> =>
      tx.count(
        `with viewed as materialized (
           select story_id from educators.story_view where user_id = $1 order by story_id limit $2),
         locked as materialized (
           select id from educators.story where id in (select story_id from viewed) order by id for no key update),
         gone as (
           delete from educators.story_view
           where user_id = $1 and story_id in (select story_id from viewed) returning story_id),
         counted as (
           update educators.story set views = views - 1
           where id in (select id from locked) and id in (select story_id from gone))
         select count(*) from gone`,
        [userId, limit],
      ),
  };
}

export type StoryStore = ReturnType<typeof storyStore>;
