import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Best, ContentWatch, ViewerWatch, WatchFilter } from './contract.ts';
import { OVERLAPPING, overlapValues } from './overlapping.store.ts';

const SECONDS = 'floor(extract(epoch from sum(e - s)))::bigint as "watchSecs"';

/** The time in which at least one session of a viewer was open, for the viewers that `whom` selects. */
const UNITED = (name: string, whom: string): string => `${name} as materialized (
  select user_id, sum(greatest(interval '0', e - greatest(s, coalesce(known_until, s)))) as watched_for
  from (
    select user_id, s, e,
      max(e) over (partition by user_id order by s, e rows between unbounded preceding and 1 preceding) as known_until
    from watched where user_id in (select user_id from ${whom})) ordered
  group by user_id)`;

/** SQL of viewers and contents; like those of `watchedStore`, its sums use separate snapshots. */
export function viewerStore(database: Database) {
  const ofSessions = <Row extends object>(filter: WatchFilter, text: string, more: unknown[]) =>
    database.snapshot((queries) => queries.all<Row>(text, [...overlapValues([filter], filter), ...more]));

  return {
    /** Counts the distinct viewers of each educator; served by session_viewers. */
    async viewersOf(filter: WatchFilter, educatorIds: ObjectId[]): Promise<Map<ObjectId, number>> {
      const rows = await database.snapshot((queries) =>
        queries.all<{ educatorId: ObjectId; viewers: number }>(
          `select educator_id as "educatorId", count(*) as viewers from (
             select distinct educator_id, user_id from (
               select educator_id, user_id, null as platform, null as content_type from watching.session
                 where $4::text is null and $5::text is null and educator_id = any($1) and ended_at > started_at
                   and ended_at > $2 and started_at >= $2::timestamptz - interval '1 day' and started_at < $3
               union all
               select educator_id, user_id, platform, content_type from watching.session
                 where ($4::text is not null or $5::text is not null) and educator_id = any($1)
                   and ended_at > started_at and ended_at > $2
                   and started_at >= $2::timestamptz - interval '1 day' and started_at < $3
               union all
               select educator_id, user_id, platform, content_type from watching.session
                 where ended_at is null and educator_id = any($1) and seen_at > greatest(started_at, $2)
                   and started_at >= $2::timestamptz - interval '1 day' and started_at < $3) watched
             where ($4::text is null or platform = $4) and ($5::text is null or content_type = $5)) someone
           group by educator_id`,
          [educatorIds, filter.from, filter.to, filter.platform ?? null, filter.contentType ?? null],
        ),
      );
      return new Map(rows.map(({ educatorId, viewers }) => [educatorId, viewers]));
    },

    /**
     * Ranks by the time in which at least one session was open. That time never exceeds the sum of a viewer's sessions,
     * which is computed without sorting. So overlapping sessions are merged only for viewers whose sum reaches the last
     * place of the board among those with the greatest sums.
     */
    topViewers: (filter: WatchFilter, { limit, except = [] }: Best): Promise<ViewerWatch[]> =>
      ofSessions(
        filter,
        `with watched as (${OVERLAPPING} and w.user_id <> all($6::text[])),
         sums as materialized (
           select user_id, sum(e - s) as summed, count(*) as sessions, max(e) as last_at from watched group by user_id),
         most as materialized (select user_id from sums order by summed desc, user_id limit $7),
         ${UNITED('of_most', 'most')},
         candidates as materialized (
           select user_id from sums where summed >= (select min(watched_for) from of_most)),
         ${UNITED('of_candidates', 'candidates')},
         best as materialized (
           select user_id, watched_for from of_candidates order by watched_for desc, user_id limit $7),
         contents as (
           select user_id, count(distinct content_id) as contents,
             array_agg(distinct content_type order by content_type) as types
           from watched where user_id in (select user_id from best) group by user_id)
         select user_id as "userId", floor(extract(epoch from watched_for))::bigint as "watchSecs", sessions,
           contents as "contentCount", types as "contentTypes", last_at as "lastWatchedAt"
         from best join contents using (user_id) join sums using (user_id) order by watched_for desc, user_id`,
        [except, limit],
      ),

    topContents: (filter: WatchFilter, { limit, except = [] }: Best): Promise<ContentWatch[]> =>
      ofSessions(
        filter,
        `with watched as (${OVERLAPPING} and w.content_id <> all($6::text[]))
         select content_type as "contentType", content_id as "contentId", ${SECONDS}, count(*) as sessions,
           count(distinct user_id) as "uniqueViewers"
         from watched group by content_type, content_id order by sum(e - s) desc, content_id limit $7`,
        [except, limit],
      ),
  };
}
