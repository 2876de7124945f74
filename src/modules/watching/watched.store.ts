import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { Best, ContentType, EducatorWatch, Peak, WatchFilter, WatchInterval } from './contract.ts';
import { MICROS, OVERLAPPING, overlapValues } from './overlapping.store.ts';
import { divide, SLOT_MS, type Span } from './spans.model.ts';
import { sumStore } from './stored-sums.store.ts';

const CHUNK = 5_000;
const NEVER = new Date(0);

/** Number of open sessions by span and key at each start and end; at equal instants, ends come before starts. */
const running = (key: string): string => `
  select key, at, sum(step) over (partition by span_start, key order by at, step rows unbounded preceding) as open
  from (
    select span_start, ${key} as key, s as at, 1 as step from watched
    union all select span_start, ${key}, e, -1 from watched) steps`;

/**
 * The stored days of a filter: `$1` to `$5` are {@link overlapValues}, `$6` and `$7` the first day and the end. A
 * session counts on the day on which it began; on the first day of a period, all sessions count.
 */
const dailyOf = (educators: string): string => `
  select educator_id, peak, peak_at, micros,
    case when day::timestamptz = $8 then sessions else sessions - carried end as sessions
  from watching.daily
  where platform = coalesce($3, '') and content_type = coalesce($4, '') and ${educators}
    and day >= $6::timestamptz::date and day < $7::timestamptz::date`;

/**
 * SQL of educators and totals. Sums over many sessions may exceed the timeout of a request, so they use a separate
 * snapshot.
 */
export function watchedStore(database: Database) {
  /** Divides a period into its stored days and the rest; both are read from one snapshot. */
  const withDays = <T>(
    filter: WatchFilter,
    read: (queries: Queries, values: unknown[]) => Promise<T>,
  ): Promise<T> =>
    database.snapshot(async (queries) => {
      const { daysUntil } = (await sumStore.storedUntil(queries)) ?? { daysUntil: NEVER };
      const { whole, ends } = divide(filter, DAY_MS, daysUntil);
      return read(queries, [...overlapValues(ends, filter), whole.from, whole.to]);
    });
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

    /** Adds the stored sums of days and quarters of an hour to the sessions of the remaining ends. */
    seconds: ({ from, to }: Span, contentTypes: readonly ContentType[]): Promise<number> =>
      database.snapshot(async (queries) => {
        const kept = (await sumStore.storedUntil(queries)) ?? { daysUntil: NEVER, slotsUntil: NEVER };
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
