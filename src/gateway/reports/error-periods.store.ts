import type { Database } from '../../kernel/database/database.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import type { CountedGroup, Grouping, SummaryPeriod } from './error-reports.model.ts';

/** The smallest part of a day that is counted; as in the migration `error-summaries`. */
const SLOT_MS = 15 * MINUTE_MS;
const SLOTS_A_DAY = DAY_MS / SLOT_MS;

/** The reports of a kind, each by an index. */
const REPORTS_OF: Record<Grouping, string> = {
  both: 'e.operation = k.operation and e.code = k.code and e.status = k.status',
  code: 'e.code = k.code and e.status = k.status',
  operation: 'e.operation = k.operation',
};

const report = (by: Grouping, columns: string, direction: '' | 'desc'): string =>
  `select ${columns} from gateway.error_report e
   where ${REPORTS_OF[by]} and e.created_at >= $7::timestamptz and e.created_at < $8::timestamptz
   order by e.created_at ${direction}, e.error_id limit 1`;

/** Summaries from what is counted of each day: the number of reports does not matter. */
export const errorPeriodStore = (database: Database) => ({
  /**
   * Returns the most frequent groups of a period of more than a day, which begins and ends on the nearest quarters of an
   * hour that include it. Kinds whose reports have all been deleted are left out.
   */
  groupsOf({ from, to, buckets, by }: SummaryPeriod, mostGroups: number): Promise<CountedGroup[]> {
    const first = Math.floor(from.getTime() / SLOT_MS);
    // The end is exclusive by a millisecond, so that one on a quarter of an hour does not begin the next.
    const end = Math.ceil((to.getTime() - 1) / SLOT_MS);
    const dayOf = (slot: number) => new Date(slot * SLOT_MS).toISOString().slice(0, 10);
    return database.all<CountedGroup>(
      `with days as not materialized (
         select d.kind_id, d.day, d.count, d.slots, (d.day - date '1970-01-01') * ${SLOTS_A_DAY} as slot
         from gateway.error_day d join gateway.error_kind k on k.id = d.kind_id and k.grouping = $6
         where d.day between $3::date and $4::date),
       counted as materialized (
         select kind_id, sum(case
           when slot >= $1::integer and slot + ${SLOTS_A_DAY} <= $2::integer then count
           else (select coalesce(sum(n), 0) from unnest(slots[greatest($1 - slot, 0) + 1 : $2 - slot]) n) end)::bigint as count
         from days group by kind_id order by count desc, kind_id limit ${mostGroups}),
       ours as (select array(select kind_id from counted where count > 0) as ids),
       parts as (
         select kind_id, (part.slot - $1)::bigint * $5::integer / ($2 - $1) as bucket, sum(part.n)::bigint as n
         from gateway.error_day d
         cross join lateral (
           select (d.day - date '1970-01-01') * ${SLOTS_A_DAY} + i::integer - 1 as slot, n
           from unnest(d.slots) with ordinality as s (n, i) where n > 0) part
         where d.kind_id = any((select ids from ours)::integer[]) and d.day between $3::date and $4::date
           and part.slot >= $1 and part.slot < $2
         group by 1, 2),
       listed as (select kind_id, array_agg(bucket::integer) as buckets, array_agg(n) as counts from parts group by kind_id),
       met as (
         select kind_id, count(distinct user_id) as members from gateway.error_member
         where kind_id = any((select ids from ours)::integer[]) and day between $3::date and $4::date
           and (day > $3::date or last_slot >= $1 % ${SLOTS_A_DAY})
           and (day < $4::date or first_slot <= ($2 - 1) % ${SLOTS_A_DAY})
         group by kind_id)
       select nullif(k.operation, '') as operation, nullif(k.code, '') as code, nullif(k.status, 0) as status, counted.count,
         coalesce(met.members, 0) as members, first.created_at as first_at, last.created_at as last_at,
         last.error_id as example_error_id, listed.buckets, listed.counts
       from counted join gateway.error_kind k on k.id = counted.kind_id
       join listed on listed.kind_id = k.id left join met on met.kind_id = k.id
       cross join lateral (${report(by, 'e.created_at', '')}) first
       cross join lateral (${report(by, 'e.created_at, e.error_id', 'desc')}) last
       order by counted.count desc, last.created_at desc, k.operation, k.code`,
      [
        ...[first, end, dayOf(first), dayOf(end - 1), buckets, by],
        ...[new Date(first * SLOT_MS), new Date(end * SLOT_MS)],
      ],
    );
  },
});
