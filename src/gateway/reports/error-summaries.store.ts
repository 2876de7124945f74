import type { Database } from '../../kernel/database/database.ts';
import type { BucketCount } from '../../kernel/operations/series.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { errorPeriodStore } from './error-periods.store.ts';
import type { CountedGroup, ErrorGroup, Grouping, SummaryPeriod } from './error-reports.model.ts';

/** How many groups a summary has, the most frequent ones. */
const MOST_GROUPS = 100;

/** What the groups of each kind have in common; what differs within them is null. */
const GROUPS: Record<Grouping, string> = {
  both: 'operation, code, status',
  code: `null::text as operation, code, status`,
  operation: `operation, null::text as code, null::smallint as status`,
};

/** Summaries of periods up to this length read each report; those of longer ones read what is counted of each day. */
const LONGEST_READ_MS = 1.5 * DAY_MS;

/** Summaries of failure reports, read from error_report_to_count alone but for an example of each group. */
export function errorSummaryStore(database: Database) {
  const periods = errorPeriodStore(database);
  const read = ({ from, to, buckets, by }: SummaryPeriod): Promise<CountedGroup[]> =>
    database.all<CountedGroup>(
      `with seen as materialized (
         select ${GROUPS[by]}, user_id,
           least(floor(extract(epoch from created_at - $1::timestamptz) * $3
             / extract(epoch from $2::timestamptz - $1::timestamptz))::int, $3 - 1) as bucket,
           count(*) as n, min(created_at) as first_at, max(created_at) as last_at
         from gateway.error_report where created_at >= $1 and created_at < $2
         group by operation, code, status, user_id, bucket),
       grouped as (
         select operation, code, status, sum(n)::bigint as count, count(distinct user_id) as members,
           min(first_at) as first_at, max(last_at) as last_at
         from seen group by operation, code, status
         order by count desc, last_at desc, operation, code limit ${MOST_GROUPS}),
       counted as (
         select operation, code, status, bucket, sum(n)::bigint as n from seen group by operation, code, status, bucket),
       listed as (
         select operation, code, status, array_agg(bucket) as buckets, array_agg(n) as counts
         from counted group by operation, code, status)
       select g.*, l.buckets, l.counts,
         (select e.error_id from gateway.error_report e
          where e.created_at = g.last_at and (g.operation is null or e.operation = g.operation)
            and (g.code is null or e.code = g.code) and (g.status is null or e.status = g.status)
          order by e.error_id limit 1) as example_error_id
       from grouped g
       join listed l on (l.operation, l.code, l.status) is not distinct from (g.operation, g.code, g.status)
       order by g.count desc, g.last_at desc, g.operation, g.code`,
      [from, to, buckets],
    );
  return {
    /** Counts failures since an instant, by the part of the period. */
    countSince: (from: Date, bucketSeconds: number): Promise<BucketCount[]> =>
      database.all(
        `select floor(extract(epoch from created_at - $1::timestamptz) / $2)::integer as bucket, count(*)::integer as count
         from gateway.error_report where created_at >= $1 group by bucket`,
        [from, bucketSeconds],
      ),
    /** Returns the most frequent groups of a period, which is divided into equal buckets; the end is exclusive. */
    async groupsOf(period: SummaryPeriod): Promise<ErrorGroup[]> {
      const { from, to, buckets } = period;
      const isLong = to.getTime() - from.getTime() > LONGEST_READ_MS;
      const rows = await (isLong ? periods.groupsOf(period, MOST_GROUPS) : read(period));
      return rows.map(({ buckets: places, counts, ...group }) => ({
        ...group,
        series: seriesOf(buckets, places, counts),
      }));
    },
  };
}

/** Returns the count of each bucket, 0 where there is none. */
function seriesOf(length: number, places: number[], counts: number[]): number[] {
  const series = Array.from({ length }, () => 0);
  for (const [at, place] of places.entries()) series[place] = Number(counts[at]);
  return series;
}
