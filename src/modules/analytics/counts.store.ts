import type { Queries } from '../../kernel/database/queries.ts';
import type { Source } from './names.model.ts';
import { ceilSlot, floorSlot, type Span } from './spans.model.ts';

/** Narrows counts to events of one name, type or source. */
export interface EventFilter {
  source: Source;
  eventName?: string;
  eventType?: string;
}

/** Number of events and amount paid, by event name. */
export interface Counted {
  name: string;
  type: string;
  source: 'client' | 'platform';
  events: number;
  cents: number;
}

/** A filter's condition on `analytics.reported n`; its values are `$1` to `$3`. */
const NAMES = `($1 = 'all' or n.source = $1) and ($2::text is null or n.name = $2)
  and ($3::text is null or n.type = $3)`;
export const namesOf = ({ source, eventName, eventType }: EventFilter): unknown[] => [
  source,
  eventName ?? null,
  eventType ?? null,
];

/**
 * Counts of a span by quarter of an hour: whole quarters from the sums and from counts not yet added to them, the rest
 * at both ends from the events. Values: `$4` and `$5` the span, `$6` and `$7` its whole quarters, `$8` and `$9` the
 * whole UTC days in them, which are separate rows if `days` is set. One snapshot sees each count exactly once.
 */
const counts = (days: boolean): string => `
  select start, name, events, cents from analytics.slot
    where start >= $6 and start < $7 ${days ? 'and not (start >= $8 and start < $9)' : ''}
  ${
    days
      ? `union all
  select day::timestamptz, name, events, cents from analytics.daily
    where day >= $8::timestamptz::date and day < $9::timestamptz::date`
      : ''
  }
  union all
  select start, name, n, cents from analytics.delta where start >= $6 and start < $7
  union all
  select date_bin('15 minutes', occurred_at, 'epoch'), name, 1, ${CENTS} from analytics.event
    where (occurred_at >= $4 and occurred_at < least($6, $5)) or (occurred_at >= greatest($7, $4) and occurred_at < $5)`;

/** The amount paid, from the metadata of the platform's payment facts. */
const CENTS = `case when name in (select no from analytics.name where source = 'platform' and name like 'payment.%')
  then coalesce((metadata ->> 'cents')::bigint, 0) else 0 end`;

const DAY_MS = 86_400_000;

/** The values of a span for {@link counts}. */
function valuesOf({ from, to }: Span): Date[] {
  const [first, last] = [ceilSlot(from), floorSlot(to)];
  // A span without a whole quarter of an hour is counted from the events alone.
  const [a, b] = first < last ? [first, last] : [to, to];
  const firstDay = new Date(Math.ceil(a.getTime() / DAY_MS) * DAY_MS);
  const lastDay = new Date(Math.max(firstDay.getTime(), Math.floor(b.getTime() / DAY_MS) * DAY_MS));
  return [from, to, a, b, firstDay, lastDay];
}

/** SQL of counts; usable on the database and on a snapshot of it. */
export const countStore = {
  /** Counts events by name. */
  byName: (queries: Queries, filter: EventFilter, span: Span): Promise<Counted[]> =>
    queries.all(
      `select n.name, n.type, n.source, sum(c.events)::bigint as events, sum(c.cents)::bigint as cents
       from (${counts(true)}) c join analytics.reported n on n.no = c.name
       where ${NAMES} group by n.name, n.type, n.source`,
      [...namesOf(filter), ...valuesOf(span)],
    ),

  /** Returns a span that contains all counts; undefined if there are none. */
  async countedSpan(queries: Queries): Promise<Span | undefined> {
    const found = await queries.first<{ from: Date | null; to: Date | null }>(
      `select least((select min(day)::timestamptz from analytics.daily), min(start)) as from,
         greatest((select max(day) + 1 from analytics.daily)::timestamptz, max(start) + interval '15 minutes') as to
       from analytics.delta`,
    );
    return found?.from && found.to ? { from: found.from, to: found.to } : undefined;
  },

  /**
   * Counts events by period.
   * @param starts when each period begins, in order
   * @param areDays whether each period begins at midnight UTC
   * @returns the periods with events; `place` is the index of the period among the starts
   */
  byPeriod: (
    queries: Queries,
    question: EventFilter & Span,
    starts: Date[],
    areDays: boolean,
  ): Promise<{ place: number; events: number }[]> =>
    queries.all(
      `select width_bucket(c.start, $10::timestamptz[]) - 1 as place, sum(c.events)::bigint as events
       from (${counts(areDays)}) c join analytics.reported n on n.no = c.name
       where ${NAMES} ${areDays ? '' : 'and ($8::timestamptz is not null and $9::timestamptz is not null)'}
       group by 1 order by 1`,
      [...namesOf(question), ...valuesOf(question), starts],
    ),
};
