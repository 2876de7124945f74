import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { Span } from './spans.model.ts';

/** Events of one name within an hour. */
export interface Chain {
  /** When the hour began, in milliseconds since 1970. */
  hourMs: number;
  name: number;
  /** Eight bytes for each event, in the order of time: milliseconds since the hour began, and the member's number. */
  chain: Buffer;
}

/** An hour in which events of some names were counted. */
export interface CountedHour {
  hourMs: number;
  events: number;
  /** Whether all of these events are packed. */
  isPacked: boolean;
}

const HOUR = `date_bin('1 hour', e.occurred_at, 'epoch')`;
const HOUR_MS = `(extract(epoch from hour) * 1000)::float8 as "hourMs"`;
const CHAIN = `string_agg(int4send((extract(epoch from e.occurred_at - ${HOUR}) * 1000)::integer) || int4send(e.person), ''
  order by e.occurred_at)`;

/** Packs the hour again for the marked names; served by event_by_time. */
const packHour = statement<never>(
  'analytics.pack-hour',
  `with marked as (delete from analytics.unpacked where hour = $1::timestamptz returning name)
   insert into analytics.packed (hour, name, events, chain)
   select $1::timestamptz, e.name, count(*), ${CHAIN} from analytics.event e
   where e.occurred_at >= $1::timestamptz and e.occurred_at < $1::timestamptz + interval '1 hour'
     and e.name in (select name from marked)
   group by e.name
   on conflict (hour, name) do update set events = excluded.events, chain = excluded.chain`,
);

/** SQL of packed events. */
export const packedStore = {
  /** Returns the hours that ended before an instant and are to be packed, oldest first. */
  async unpacked(queries: Pick<Queries, 'all'>, before: Date, limit: number): Promise<Date[]> {
    const rows = await queries.all<{ hour: Date }>(
      `select distinct hour from analytics.unpacked where hour + interval '1 hour' <= $1 order by hour limit $2`,
      [before, limit],
    );
    return rows.map(({ hour }) => hour);
  },

  /** Packs an hour; the caller must hold the lock of sums, or a mark that is set meanwhile could be lost. */
  pack: (tx: Transaction, hour: Date) => tx.execute(packHour, [hour]),

  /** Returns the hours that begin within the span and in which events of these names were counted, in order. */
  hours: (queries: Queries, { from, to }: Span, names: number[]): Promise<CountedHour[]> =>
    queries.all(
      `with counted as (
         select date_bin('1 hour', start, 'epoch') as hour, name, sum(events)::bigint as events from (
           select start, name, events from analytics.slot where start >= $1 and start < $2 and name = any($3::smallint[])
           union all
           select start, name, n from analytics.delta where start >= $1 and start < $2 and name = any($3::smallint[])) c
         group by 1, 2)
       select ${HOUR_MS}, sum(counted.events)::bigint as events,
         bool_and(packed.events is not distinct from counted.events) as "isPacked"
       from counted left join analytics.packed using (hour, name) group by hour order by hour`,
      [from, to, names],
    ),

  /** Returns the packed events of these names in the hours that begin within the span, by hour. */
  packedChains: (queries: Queries, { from, to }: Span, names: number[]): Promise<Chain[]> =>
    queries.all(
      `select ${HOUR_MS}, name, chain from analytics.packed
       where hour >= $1 and hour < $2 and name = any($3::smallint[]) order by hour`,
      [from, to, names],
    ),

  /** The same from the events themselves; served by event_by_time. */
  chains: (queries: Queries, { from, to }: Span, names: number[]): Promise<Chain[]> =>
    queries.all(
      `select ${HOUR_MS}, name, chain from (
         select ${HOUR} as hour, e.name, ${CHAIN} as chain from analytics.event e
         where e.occurred_at >= $1 and e.occurred_at < $2 and e.name = any($3::smallint[]) group by 1, 2) made
       order by hour`,
      [from, to, names],
    ),
};
