import { offsetOf, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import type { OwnEvent, Owner, OwnFilter } from './own.model.ts';
import { ceilSlot, floorSlot, type Span } from './spans.model.ts';

interface Named {
  eventName: string;
  count: number;
}

const NAME = `coalesce(nullif(c.own_name, ''), n.name)`;
const TYPE = `coalesce(nullif(c.own_type, ''), n.type)`;
/** Names of client events; `c` is an event or a sum of events. */
const NAMED = `join analytics.name n on n.no = c.name and n.source = 'client'`;

/**
 * Counts of a span by name: whole days and quarters of an hour from the sums, the rest at both ends from the events.
 * `$1` is the member's number, `$2` and `$3` the days, `$4` and `$5` the starts and ends of the quarters, `$6` and `$7`
 * those of the rest.
 */
const COUNTED = `
  select name, own_type, events from analytics.own_day
  where person = $1 and day >= $2::timestamptz::date and day < $3::timestamptz::date
  union all
  select s.name, s.own_type, s.events from unnest($4::timestamptz[], $5::timestamptz[]) as r (s, e)
  join analytics.own_slot s on s.person = $1 and s.slot >= r.s and s.slot < r.e
  union all
  select v.name, coalesce(v.own_type, ''), 1 from unnest($6::timestamptz[], $7::timestamptz[]) as r (s, e)
  join analytics.event v on v.person = $1 and v.occurred_at >= r.s and v.occurred_at < r.e`;

/** Returns the values `$2` to `$7` of a span. */
function partsOf({ from, to }: Span): unknown[] {
  const [firstSlot, lastSlot] = [ceilSlot(from), floorSlot(to)];
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  const hasDays = firstDay < lastDay;
  const slots: Span[] = hasDays
    ? [
        { from: firstSlot, to: firstDay },
        { from: lastDay, to: lastSlot },
      ]
    : [{ from: firstSlot, to: lastSlot }];
  const ends: Span[] =
    firstSlot <= lastSlot
      ? [
          { from, to: firstSlot },
          { from: lastSlot, to },
        ]
      : [{ from, to }];
  const columns = (spans: Span[]) => [spans.map((span) => span.from), spans.map((span) => span.to)];
  return [firstDay, hasDays ? lastDay : firstDay, ...columns(slots), ...columns(ends)];
}

/** SQL of members' views of their own events; `person` is a member's number. */
export const ownStore = {
  numberOf: async (queries: Queries, userId: ObjectId): Promise<number | undefined> =>
    (await queries.first<{ no: number }>('select no from analytics.person where user_id = $1', [userId]))?.no,

  /** Newest first; served by event_by_person. */
  async pageOf(
    queries: Queries,
    { person, userId }: Owner,
    filter: OwnFilter,
    request: PageRequest,
  ): Promise<Page<OwnEvent>> {
    const { eventType = null, from, to } = filter;
    const { after } = request;
    const total = await ownStore.count(queries, person, filter, eventType);
    if (total <= offsetOf(request)) return { ...request, items: [], total };
    const items = await queries.all<OwnEvent>(
      `select c.id, $2 as "userId", ${NAME} as "eventName", ${TYPE} as "eventType", c.metadata,
         c.occurred_at as timestamp
       from analytics.event c ${NAMED}
       where c.person = $1 and ($3::text is null or ${TYPE} = $3) and c.occurred_at >= $4 and c.occurred_at < $5
         and ($6::timestamptz is null
           or (c.occurred_at <= $6 and (c.occurred_at, c.id) < ($6, $7 collate "C")))
       order by c.occurred_at desc, c.id desc limit $8 offset $9`,
      [
        person,
        userId,
        eventType,
        from,
        to,
        after?.at ?? null,
        after?.id ?? null,
        request.limit,
        offsetOf(request),
      ],
    );
    return { ...request, items, total };
  },

  /** Counts a member's events in a span, of one type or of all. */
  count: (queries: Queries, person: number, span: Span, eventType: string | null = null): Promise<number> =>
    queries.count(
      `select coalesce(sum(c.events), 0)::bigint from (${COUNTED}) c ${NAMED} where $8::text is null or ${TYPE} = $8`,
      [person, ...partsOf(span), eventType],
    ),

  /** Counts all events of a member, including those of dropped months. */
  total: (queries: Queries, person: number): Promise<number> =>
    queries.count(
      `select (select coalesce(sum(events), 0) from analytics.own_day where person = $1)::bigint
         + (select coalesce(sum(p.events), 0) from analytics.past p
            join analytics.name n on n.no = p.name and n.source = 'client' where p.person = $1)::bigint`,
      [person],
    ),

  /**
   * Counts a member's events by day and name.
   * @param starts when each day begins, in order; the last day has no end
   * @param areDays whether each day begins at midnight UTC
   * @returns `day` is the index of the day among the starts
   */
  byDay: (
    queries: Queries,
    person: number,
    starts: Date[],
    areDays: boolean,
  ): Promise<(Named & { day: number })[]> => {
    const at = areDays ? 'c.day::timestamptz' : 'c.slot';
    const since = areDays ? 'c.day >= ($2::timestamptz[])[1]::date' : 'c.slot >= ($2::timestamptz[])[1]';
    return queries.all(
      `select width_bucket(${at}, $2::timestamptz[]) - 1 as day, ${NAME} as "eventName", sum(c.events)::bigint as count
       from analytics.${areDays ? 'own_day' : 'own_slot'} c ${NAMED}
       where c.person = $1 and ${since} group by 1, 2 order by 1, 2`,
      [person, starts],
    );
  },

  /** Returns a member's most frequent events. */
  mostCommon: (queries: Queries, person: number, limit: number): Promise<Named[]> =>
    queries.all(
      `select name as "eventName", sum(events)::bigint as count from (
         select ${NAME} as name, c.events from analytics.own_day c ${NAMED} where c.person = $1
         union all
         select ${NAME}, c.events from analytics.past c ${NAMED} where c.person = $1) counted
       group by name order by count desc, name limit $2`,
      [person, limit],
    ),
};

export type OwnStore = typeof ownStore;
