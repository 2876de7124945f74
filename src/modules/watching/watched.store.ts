import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type {
  Best,
  ContentWatch,
  EducatorWatch,
  Peak,
  ViewerWatch,
  WatchFilter,
  WatchInterval,
  WatchTotals,
} from './contract.ts';

const CHUNK = 5_000;

/**
 * Sessions that overlap the period, cut to it: `$1` to `$5` are {@link valuesOf} the filter. A session lasts at most a
 * day, which bounds the range read from session_by_start and session_of_educator.
 */
const WATCHED = `
  select id, user_id, content_type, content_id, educator_id, platform,
    greatest(started_at, $1) as s, least(coalesce(ended_at, seen_at), $2) as e
  from watching.session
  where started_at >= $1::timestamptz - interval '1 day' and started_at < $2::timestamptz
    and coalesce(ended_at, seen_at) > greatest(started_at, $1)
    and ($3::text is null or platform = $3) and ($4::text is null or content_type = $4)
    and ($5::text is null or educator_id = $5)`;

const valuesOf = ({ from, to, platform, contentType, educatorId }: WatchFilter): unknown[] => [
  from,
  to,
  platform ?? null,
  contentType ?? null,
  educatorId ?? null,
];

const SECONDS = 'floor(extract(epoch from sum(e - s)))::bigint as "watchSecs"';

/** Number of open sessions by key at each start and end; at the same moment ends come before starts. */
const running = (key: string): string => `
  select key, at, sum(step) over (partition by key order by at, step rows unbounded preceding) as open
  from (
    select ${key} as key, s as at, 1 as step from watched union all select ${key}, e, -1 from watched) steps`;

/** Sums over many sessions may take longer than a request is allowed to; they use a separate snapshot. */
export function watchedStore(database: Database) {
  const ask = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    database.snapshot((queries: Queries) => queries.all<Row>(text, values));

  return {
    async peak(filter: WatchFilter): Promise<Peak> {
      const [peak] = await ask<Peak>(
        `with watched as (${WATCHED})
         select open as "peakConcurrent", at as "peakAt" from (${running('0')}) r order by open desc, at limit 1`,
        valuesOf(filter),
      );
      return peak ?? { peakConcurrent: 0, peakAt: null };
    },

    async totals(filter: WatchFilter): Promise<WatchTotals & { uniqueViewers: number }> {
      const [totals] = await ask<WatchTotals & { uniqueViewers: number }>(
        `with watched as (${WATCHED})
         select coalesce(floor(extract(epoch from sum(e - s))), 0)::bigint as "watchSecs", count(*) as sessions,
           count(distinct user_id) as "uniqueViewers" from watched`,
        valuesOf(filter),
      );
      return totals ?? { watchSecs: 0, sessions: 0, uniqueViewers: 0 };
    },

    topEducators: (filter: WatchFilter, { limit, except = [] }: Best): Promise<EducatorWatch[]> =>
      ask(
        `with watched as (${WATCHED} and educator_id is not null and educator_id <> all($6::text[])),
         peaks as (
           select distinct on (key) key as educator_id, open, at from (${running('educator_id')}) r
           order by key, open desc, at),
         sums as (
           select educator_id, ${SECONDS}, count(*) as sessions, count(distinct user_id) as "uniqueViewers"
           from watched group by educator_id)
         select educator_id as "educatorId", open as "peakConcurrent", at as "peakAt", "watchSecs", sessions,
           "uniqueViewers"
         from peaks join sums using (educator_id) order by open desc, "watchSecs" desc, educator_id limit $7`,
        [...valuesOf(filter), except, limit],
      ),

    topViewers: (filter: WatchFilter, { limit, except = [] }: Best): Promise<ViewerWatch[]> =>
      ask(
        `with watched as (${WATCHED} and user_id <> all($6::text[]))
         select user_id as "userId", ${SECONDS}, count(*) as sessions, count(distinct content_id) as "contentCount",
           array_agg(distinct content_type order by content_type) as "contentTypes", max(e) as "lastWatchedAt"
         from watched group by user_id order by sum(e - s) desc, user_id limit $7`,
        [...valuesOf(filter), except, limit],
      ),

    topContents: (filter: WatchFilter, { limit, except = [] }: Best): Promise<ContentWatch[]> =>
      ask(
        `with watched as (${WATCHED} and content_id <> all($6::text[]))
         select content_type as "contentType", content_id as "contentId", ${SECONDS}, count(*) as sessions,
           count(distinct user_id) as "uniqueViewers"
         from watched group by content_type, content_id order by sum(e - s) desc, content_id limit $7`,
        [...valuesOf(filter), except, limit],
      ),

    async *intervals(filter: WatchFilter): AsyncGenerator<WatchInterval[]> {
      for (let after: ObjectId = ''; ; ) {
        const chunk = await database.all<WatchInterval>(
          `select id as "sessionId", user_id as "userId", content_type as "contentType", content_id as "contentId",
             educator_id as "educatorId", platform, s as start, e as "end"
           from (${WATCHED} and id > $6 order by id limit ${CHUNK}) watched`,
          [...valuesOf(filter), after],
        );
        if (chunk.length > 0) yield chunk;
        if (chunk.length < CHUNK) return;
        after = (chunk.at(-1) as WatchInterval).sessionId;
      }
    },
  };
}
