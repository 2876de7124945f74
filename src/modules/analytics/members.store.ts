import type { Queries } from '../../kernel/database/queries.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { EventFilter } from './counts.store.ts';
import { ceilSlot, floorSlot, type Span } from './spans.model.ts';

/** Subjects of `analytics.presence` besides the numbers of names. */
const ANY_EVENT = 0;
const PAGE_VIEW = -1;

/**
 * The events by which members are counted: by names, and by the subject that covers exactly these names, if there is
 * one.
 */
export interface MemberSelection {
  names: number[];
  subject: number | null;
}

const floorDay = (at: Date): Date => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
const ceilDay = (at: Date): Date => new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);

/**
 * Members with events that presence does not cover: events at the ends of a span, outside its whole quarters of an
 * hour, and arrivals. `$1` subject, `$2` names, `$3` and `$4` the span, `$5` and `$6` its whole quarters.
 */
const UNKNOWN = `
  select person from analytics.event
    where ((occurred_at >= $3 and occurred_at < $5) or (occurred_at >= $6 and occurred_at < $4))
      and name = any($2::smallint[])
  union
  select person from analytics.arrival where slot >= $5 and slot < $6 and name = any($2::smallint[])`;

/** Those of the members above without presence within the span. */
const ONLY_UNKNOWN = `(select count(*) from (${UNKNOWN}) u where not exists (
  select from analytics.presence p where p.person = u.person and p.subject = $1 and p.slot >= $5 and p.slot < $6))`;

/** Counts each member in their first quarter of an hour within the span. */
const BY_SLOTS = `select (select count(*) from analytics.presence
    where subject = $1 and slot >= $5 and slot < $6 and before < $5) + ${ONLY_UNKNOWN}`;

/**
 * The same with whole days from the gaps: `$7` and `$8` are the first whole day and the end of the whole days, `$9` the
 * day of the first quarter.
 */
const BY_DAYS = `select
  (select count(*) from analytics.presence where subject = $1 and slot >= $5 and slot < $7 and before < $5)
  + (select coalesce(sum(members), 0)::bigint from analytics.gap
    where subject = $1 and day >= $7::timestamptz::date and day < $8::timestamptz::date
      and before < $9::timestamptz::date)
  + (select count(*) from analytics.presence
    where subject = $1 and subject <= 0 and before >= $9 and before < $5 and slot >= $7 and slot < $8)
  + (select count(*) from analytics.presence where subject = $1 and slot >= $8 and slot < $6 and before < $5)
  + ${ONLY_UNKNOWN}`;

/** Several names have no gaps in common, so members are counted as distinct numbers. */
const BY_NUMBER = `select count(*) from (
  select person from analytics.presence where subject = any($2::smallint[]) and slot >= $5 and slot < $6
  union ${UNKNOWN}) someone where $1::smallint is null`;

const spansOf = (periods: Span[]): [Date[], Date[]] => [
  periods.map(({ from }) => from),
  periods.map(({ to }) => to),
];
/** `$2` names, `$3` and `$4` starts and ends of periods that do not overlap, in order. */
const ARRIVED = `
  select width_bucket(a.slot, $3::timestamptz[]) as place, a.person from analytics.arrival a
  where a.name = any($2::smallint[]) and a.slot >= ($3::timestamptz[])[1]
    and a.slot < ($4::timestamptz[])[width_bucket(a.slot, $3::timestamptz[])]`;
const ONLY_ARRIVED = `
  select a.place, count(*) as members from (select distinct place, person from (${ARRIVED}) x) a
  where not exists (select from analytics.presence p where p.person = a.person and p.subject = $1
    and p.slot >= ($3::timestamptz[])[a.place] and p.slot < ($4::timestamptz[])[a.place])
  group by a.place`;

/** SQL of distinct members. */
export const memberStore = {
  /** Returns the events by which to count the members that match a filter. */
  async selectionOf(
    queries: Queries,
    { source, eventName, eventType }: EventFilter,
  ): Promise<MemberSelection> {
    const all = await queries.all<{ no: number; name: string; type: string; source: string }>(
      `select no, name, type, source from analytics.reported where $1 = 'all' or source = $1`,
      [source],
    );
    const names = all
      .filter(({ name, type }) => (!eventName || name === eventName) && (!eventType || type === eventType))
      .map(({ no }) => no);
    // All client events, and page views, have a subject of their own, so that any span can be counted by days.
    if (source === 'client' && names.length === all.length && names.length > 0)
      return { names, subject: ANY_EVENT };
    if (source === 'client' && eventName === 'page.view' && !eventType) return { names, subject: PAGE_VIEW };
    return { names, subject: names.length === 1 ? (names[0] as number) : null };
  },

  /** Counts the members who were active within a span. */
  async between(queries: Queries, { names, subject }: MemberSelection, { from, to }: Span): Promise<number> {
    const [a, b] = [ceilSlot(from), floorSlot(to)];
    // A span without a whole quarter of an hour is counted from the events alone.
    const [first, last] = a < b ? [a, b] : [to, to];
    const values = [subject, names, from, to, first, last];
    if (subject === null) return queries.count(BY_NUMBER, values);
    const [firstDay, lastDay] = [ceilDay(first), floorDay(last)];
    if (subject > 0 || firstDay >= lastDay) return queries.count(BY_SLOTS, values);
    return queries.count(BY_DAYS, [...values, firstDay, lastDay, floorDay(first)]);
  },

  /** Counts the members of each period; the periods are ordered and consist of whole quarters of an hour. */
  async ofPeriods(
    queries: Queries,
    { names, subject }: MemberSelection,
    periods: Span[],
    areDays: boolean,
  ): Promise<number[]> {
    if (periods.length === 0) return [];
    const countedMembers = areDays
      ? `select p.place, sum(g.members) as members from period p join analytics.gap g
           on g.subject = $1 and g.day >= p.s::date and g.day < p.e::date and g.before < p.s::date group by p.place`
      : `select p.place, (select count(*) from analytics.presence
           where subject = $1 and slot >= p.s and slot < p.e and before < p.s) as members from period p`;
    const text =
      subject === null
        ? `select place, count(*) as members from (
             select p.place, x.person from unnest($3::timestamptz[], $4::timestamptz[]) with ordinality as p (s, e, place)
               join analytics.presence x on x.subject = any($2::smallint[]) and x.slot >= p.s and x.slot < p.e
             union ${ARRIVED}) someone where $1::smallint is null group by place`
        : `with period as (
             select * from unnest($3::timestamptz[], $4::timestamptz[]) with ordinality as p (s, e, place))
           select place, sum(members)::bigint as members from (
             ${countedMembers} union all ${ONLY_ARRIVED}) counted group by place`;
    const rows = await queries.all<{ place: number; members: number }>(text, [
      subject,
      names,
      ...spansOf(periods),
    ]);
    const byPlace = new Map(rows.map(({ place, members }) => [place, members]));
    return periods.map((_, place) => byPlace.get(place + 1) ?? 0);
  },
};
