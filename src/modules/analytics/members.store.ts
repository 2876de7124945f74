import type { Queries } from '../../kernel/database/queries.ts';
import { type EventFilter, NAMES, namesOf } from './counts.store.ts';
import type { Span } from './visits.store.ts';

/** The activity by which members are counted: any event, or a page view. */
export const SUBJECTS = { anything: 0, pageView: 1 };
const GRAINS = { day: 1, week: 2, month: 3 };
const DAY_MS = 86_400_000;

const startOf = (unit: 'week' | 'month', day: Date): Date => {
  if (unit === 'month') return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS);
};
const endOf = (unit: 'week' | 'month', start: Date): Date =>
  unit === 'week'
    ? new Date(start.getTime() + 7 * DAY_MS)
    : new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));

/** Covers UTC days, the end excluded, with the fewest months, weeks and days. */
export function coverOf(from: Date, to: Date): { grain: number; start: Date }[] {
  const cover: { grain: number; start: Date }[] = [];
  for (let at = from; at < to; ) {
    const unit = (['month', 'week'] as const).find(
      (one) => startOf(one, at).getTime() === at.getTime() && endOf(one, at) <= to,
    );
    cover.push({ grain: GRAINS[unit ?? 'day'], start: at });
    at = unit ? endOf(unit, at) : new Date(at.getTime() + DAY_MS);
  }
  return cover;
}

const floorDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
const ceilDay = (at: Date): Date => new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);

/** SQL of distinct members. */
export const memberStore = {
  /**
   * Counts the members with any client event, or a page view, within a span. Whole UTC days come from the aggregates,
   * the ends from the events.
   */
  async present(queries: Queries, subject: number, { from, to }: Span): Promise<number> {
    const [first, last] = [ceilDay(from), floorDay(to)];
    const isCut = first < last;
    const cover = isCut ? coverOf(first, last) : [];
    return queries.count(
      `select count(*) from (
         select p.person from unnest($1::smallint[], $2::date[]) as cover (grain, start)
           join analytics.present p on p.subject = $3::smallint and p.grain = cover.grain and p.start = cover.start
         union
         select e.person from analytics.event e
         where ((e.occurred_at >= $4 and e.occurred_at < $5) or (e.occurred_at >= $6 and e.occurred_at < $7))
           and e.name in (select no from analytics.name where source = 'client' and ($3 = 0 or name = 'page.view'))
       ) someone`,
      [
        cover.map(({ grain }) => grain),
        cover.map(({ start }) => start),
        subject,
        from,
        isCut ? first : to,
        isCut ? last : to,
        to,
      ],
    );
  },

  /** Returns the number of active members in each whole UTC day, week or month, by its first day. */
  async byPeriod(
    queries: Queries,
    groupBy: keyof typeof GRAINS,
    { from, to }: Span,
  ): Promise<Map<string, number>> {
    const rows = await queries.all<{ period: string; members: number }>(
      `select to_char(start, 'YYYY-MM-DD') as period, sum(members)::bigint as members from (
         select start, members from analytics.members
           where grain = $1 and subject = 0 and start >= $2::timestamptz::date and start < $3::timestamptz::date
         union all
         select start::date, n from analytics.delta where grain = $1 and subject = 0 and start >= $2 and start < $3
       ) counted group by start`,
      [GRAINS[groupBy], from, to],
    );
    return new Map(rows.map(({ period, members }) => [period, members]));
  },

  /** Counts active members with any filter and time zone, from the events; periods are cut to the span. */
  async scanned(
    queries: Queries,
    filter: EventFilter,
    { from, to }: Span,
    { groupBy, timezone }: { groupBy: keyof typeof GRAINS; timezone: string },
  ): Promise<Map<string, number>> {
    const rows = await queries.all<{ period: string; members: number }>(
      `select to_char(period, 'YYYY-MM-DD') as period, count(*) as members from (
         select date_trunc($6, e.occurred_at at time zone $7) as period, e.person
         from analytics.event e join analytics.name n on n.no = e.name
         where e.occurred_at >= $4 and e.occurred_at < $5 and ${NAMES} group by 1, 2
       ) someone group by period`,
      [...namesOf(filter), from, to, groupBy, timezone],
    );
    return new Map(rows.map(({ period, members }) => [period, members]));
  },
};
