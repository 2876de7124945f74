import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type {
  Best,
  ContentType,
  ContentWatch,
  EducatorWatch,
  Peak,
  ViewerWatch,
  WatchFilter,
  WatchInterval,
} from './contract.ts';
import { keepingStore } from './keeping.store.ts';
import { MICROS, OVERLAPPING, overlapValues } from './overlapping.store.ts';
import { divide, SLOT_MS, type Span } from './spans.ts';

const CHUNK = 5_000;
const NEVER = new Date(0);

const SECONDS = 'floor(extract(epoch from sum(e - s)))::bigint as "watchSecs"';

/** Number of open sessions by span and key at each start and end; at the same moment ends come before starts. */
const running = (key: string): string => `
  select key, at, sum(step) over (partition by span_start, key order by at, step rows unbounded preceding) as open
  from (
    select span_start, ${key} as key, s as at, 1 as step from watched
    union all select span_start, ${key}, e, -1 from watched) steps`;

/** For how long at least one session of a viewer was open, of the viewers that `whom` lists. */
const UNITED = (name: string, whom: string): string => `${name} as materialized (
  select user_id, sum(greatest(interval '0', e - greatest(s, coalesce(known_until, s)))) as watched_for
  from (
    select user_id, s, e,
      max(e) over (partition by user_id order by s, e rows between unbounded preceding and 1 preceding) as known_until
    from watched where user_id in (select user_id from ${whom})) ordered
  group by user_id)`;

/**
 * The kept days of a filter: `$1` to `$5` are {@link overlapValues}, `$6` and `$7` the first day and the end. A session
 * counts on the day on which it began; on the first day of a period all do.
 */
const dailyOf = (educators: string): string => `
  select educator_id, peak, peak_at, micros,
    case when day::timestamptz = $8 then sessions else sessions - carried end as sessions
  from watching.daily
  where platform = coalesce($3, '') and content_type = coalesce($4, '') and ${educators}
    and day >= $6::timestamptz::date and day < $7::timestamptz::date`;

/** Sums over many sessions may take longer than a request is allowed to; they use a separate snapshot. */
export function watchedStore(database: Database) {
  /** Divides a period at the days that are kept; both are read from one snapshot. */
  const withDays = <T>(
    filter: WatchFilter,
    ask: (queries: Queries, values: unknown[]) => Promise<T>,
  ): Promise<T> =>
    database.snapshot(async (queries) => {
      const { daysUntil } = (await keepingStore.kept(queries)) ?? { daysUntil: NEVER };
      const { whole, ends } = divide(filter, DAY_MS, daysUntil);
      return ask(queries, [...overlapValues(ends, filter), whole.from, whole.to]);
    });
  const ofSessions = <Row extends object>(filter: WatchFilter, text: string, more: unknown[]) =>
    database.snapshot((queries) => queries.all<Row>(text, [...overlapValues([filter], filter), ...more]));

  return {
    peak: (filter: WatchFilter): Promise<Peak> =>
      withDays(filter, async (queries, values) => {
        const peak = await queries.first<Peak>(
          `with watched as (${OVERLAPPING})
           select open as "peakConcurrent", at as "peakAt" from (
             select open, at from (${running('0')}) r
             union all
             select peak, peak_at from watching.daily where platform = coalesce($3, '')
               and content_type = coalesce($4, '') and educator_id = coalesce($5, '')
               and day >= $6::timestamptz::date and day < $7::timestamptz::date) peaks
           order by open desc, at limit 1`,
          values,
        );
        return peak ?? { peakConcurrent: 0, peakAt: null };
      }),

    /** Sums what is kept of days and quarters of an hour, and the sessions of the ends. */
    seconds: ({ from, to }: Span, contentTypes: readonly ContentType[]): Promise<number> =>
      database.snapshot(async (queries) => {
        const kept = (await keepingStore.kept(queries)) ?? { daysUntil: NEVER, slotsUntil: NEVER };
        const days = divide({ from, to }, DAY_MS, kept.daysUntil);
        const parts = days.ends.map((end) => divide(end, SLOT_MS, kept.slotsUntil));
        const slots = parts.map(({ whole }) => whole);
        const ends = parts.flatMap((part) => part.ends);
        return queries.count(
          `with watched as (${OVERLAPPING} and w.content_type = any($8::text[])),
           sums as (
             select content_type, micros from watching.daily where platform = '' and educator_id = ''
               and content_type = any($8::text[])
               and day >= $6::timestamptz::date and day < $7::timestamptz::date
             union all
             select content_type, micros from unnest($9::timestamptz[], $10::timestamptz[]) as span (s, e)
               join watching.slot on slot >= s and slot < e where content_type = any($8::text[])
             union all
             select content_type, ${MICROS} from watched group by 1)
           select coalesce(sum(seconds), 0)::bigint from (
             select div(sum(micros), 1000000) as seconds from sums group by content_type) each`,
          [
            ...overlapValues(ends, {}),
            days.whole.from,
            days.whole.to,
            contentTypes,
            slots.map((slot) => slot.from),
            slots.map((slot) => slot.to),
          ],
        );
      }),

    topEducators: (
      filter: WatchFilter,
      { limit, except = [] }: Best,
    ): Promise<Omit<EducatorWatch, 'uniqueViewers'>[]> =>
      withDays(filter, (queries, values) =>
        queries.all(
          `with watched as (${OVERLAPPING} and w.educator_id is not null and w.educator_id <> all($9::text[])),
           days as (${dailyOf(`educator_id <> '' and ($5::text is null or educator_id = $5) and educator_id <> all($9::text[])`)}),
           peaks as (
             select distinct on (educator_id) educator_id, open, at from (
               select key as educator_id, open, at from (${running('educator_id')}) r
               union all select educator_id, peak, peak_at from days) of_parts
             order by educator_id, open desc, at),
           sums as (
             select educator_id, sum(micros) as micros, sum(sessions)::bigint as sessions from (
               select educator_id, ${MICROS} as micros,
                 count(*) filter (where not is_carried or span_start = $8) as sessions
               from watched group by educator_id
               union all select educator_id, micros, sessions from days) of_parts
             group by educator_id)
           select educator_id as "educatorId", open as "peakConcurrent", at as "peakAt",
             div(micros, 1000000)::bigint as "watchSecs", sessions
           from peaks join sums using (educator_id)
           order by open desc, div(micros, 1000000) desc, educator_id limit $10`,
          [...values, filter.from, except, limit],
        ),
      ),

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
     * Ranks by the time in which at least one session was open. It never exceeds the sum of a viewer's sessions, which is
     * found without sorting them all: united are only the sessions of viewers whose sum reaches the last place on the
     * board among those with the greatest sums.
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

    async *intervals(filter: WatchFilter): AsyncGenerator<WatchInterval[]> {
      for (let after: ObjectId = ''; ; ) {
        const chunk = await database.all<WatchInterval>(
          `select id as "sessionId", user_id as "userId", content_type as "contentType", content_id as "contentId",
             educator_id as "educatorId", platform, s as start, e as "end"
           from (${OVERLAPPING} and w.id > $6 order by w.id limit ${CHUNK}) watched`,
          [...overlapValues([filter], filter), after],
        );
        if (chunk.length > 0) yield chunk;
        if (chunk.length < CHUNK) return;
        after = (chunk.at(-1) as WatchInterval).sessionId;
      }
    },
  };
}
