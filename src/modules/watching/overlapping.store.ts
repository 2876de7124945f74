import type { WatchFilter } from './contract.ts';
import type { Span } from './spans.model.ts';

/**
 * Sessions that overlap spans, cut to the spans: `$1` and `$2` are the starts and ends of the spans, `$3` to `$5` the
 * filter, see {@link overlapValues}. A session lasts at most a day. Open sessions, and those of more than two hours,
 * have separate indexes, so that the others are searched from two hours before a span.
 */
export const OVERLAPPING = `
  select span.s as span_start, w.id, w.user_id, w.content_type, w.content_id, w.educator_id, w.platform,
    greatest(w.started_at, span.s) as s, least(coalesce(w.ended_at, w.seen_at), span.e) as e,
    w.started_at < span.s as is_carried
  from unnest($1::timestamptz[], $2::timestamptz[]) as span (s, e)
  cross join lateral (
    select * from watching.session where started_at >= span.s - interval '2 hours' and started_at < span.e
    union all
    select * from watching.session where ended_at - started_at > interval '2 hours'
      and started_at >= span.s - interval '1 day' and started_at < span.s - interval '2 hours'
    union all
    select * from watching.session where ended_at is null
      and started_at >= span.s - interval '1 day' and started_at < span.s - interval '2 hours') w
  where coalesce(w.ended_at, w.seen_at) > greatest(w.started_at, span.s)
    and ($3::text is null or w.platform = $3) and ($4::text is null or w.content_type = $4)
    and ($5::text is null or w.educator_id = $5)`;

export const overlapValues = (
  spans: Span[],
  { platform, contentType, educatorId }: Omit<WatchFilter, 'from' | 'to'>,
): unknown[] => [
  spans.map(({ from }) => from),
  spans.map(({ to }) => to),
  platform ?? null,
  contentType ?? null,
  educatorId ?? null,
];

/** Duration of sessions in microseconds; a bigint, so that sums are exact. */
export const MICROS = '(extract(epoch from sum(e - s)) * 1000000)::bigint';
