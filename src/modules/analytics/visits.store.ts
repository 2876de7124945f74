import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { type Span, VISIT_GAP_MINUTES } from './spans.model.ts';

/** The number of visits that began within a period, and the duration of visits within it. */
export interface Visits {
  visits: number;
  seconds: number;
}

const GAP = `interval '${VISIT_GAP_MINUTES} minutes'`;

/**
 * Client events in a span, each with the time since the same member's previous event. A visit ends with the last event
 * before a gap, so that looking back by the length of that gap is enough. Served by event_by_time.
 */
const GAPS = `
  select occurred_at, gap <= ${GAP} as goes_on, extract(epoch from gap) as seconds
  from (
    select occurred_at, occurred_at - lag(occurred_at) over (partition by person order by occurred_at) as gap
    from analytics.event
    where occurred_at >= span.start - ${GAP} and occurred_at < span.stop
      and name not in (select no from analytics.name where source = 'platform')) ordered
  where occurred_at >= span.start`;
const SUMS = `count(*) filter (where goes_on is not true) as visits,
  coalesce(sum(seconds) filter (where goes_on), 0) as seconds`;

/** SQL of visits; usable on the database and on a snapshot of it. */
export const visitStore = {
  /** Computes the visits of spans from the events. */
  async compute(queries: Queries, spans: Span[]): Promise<Visits> {
    const row = await queries.first<Visits>(
      `select coalesce(sum(visits), 0) as visits, coalesce(sum(seconds), 0) as seconds
       from unnest($1::timestamptz[], $2::timestamptz[]) as span (start, stop)
       cross join lateral (select ${SUMS} from (${GAPS}) gaps) sums`,
      [spans.map(({ from }) => from), spans.map(({ to }) => to)],
    );
    return row ?? { visits: 0, seconds: 0 };
  },

  /** Sums the stored quarters of an hour in a span, except those marked for recomputation. */
  async kept(queries: Queries, { from, to }: Span): Promise<Visits> {
    const row = await queries.first<Visits>(
      `select coalesce(sum(visits), 0) as visits, coalesce(sum(seconds), 0) as seconds from analytics.visit
       where slot >= $1 and slot < $2
         and slot not in (select slot from analytics.dirty where slot >= $1 and slot < $2)`,
      [from, to],
    );
    return row ?? { visits: 0, seconds: 0 };
  },

  /** Returns the quarters of an hour in a span that are marked for recomputation, in order. */
  async dirty(queries: Queries, { from, to }: Span): Promise<Date[]> {
    const rows = await queries.all<{ slot: Date }>(
      'select distinct slot from analytics.dirty where slot >= $1 and slot < $2 order by slot',
      [from, to],
    );
    return rows.map(({ slot }) => slot);
  },

  /**
   * Deletes and returns some of the marks. The recomputation runs as a later statement, and therefore sees every event
   * behind a deleted mark. Marks of uncommitted events remain.
   */
  async takeDirty(tx: Transaction, limit: number): Promise<Date[]> {
    const rows = await tx.all<{ slot: Date }>(
      `with gone as (
         delete from analytics.dirty where slot in (select distinct slot from analytics.dirty order by slot limit $1)
         returning slot)
       select distinct slot from gone order by slot`,
      [limit],
    );
    return rows.map(({ slot }) => slot);
  },

  /** Computes and stores the visits of quarters of an hour. */
  async keep(tx: Transaction, slots: Date[]): Promise<void> {
    await tx.execute(
      `insert into analytics.visit (slot, visits, seconds)
       select span.start, sums.visits, sums.seconds
       from (select s as start, s + interval '15 minutes' as stop from unnest($1::timestamptz[]) s) span
       cross join lateral (select ${SUMS} from (${GAPS}) gaps) sums
       on conflict (slot) do update set visits = excluded.visits, seconds = excluded.seconds`,
      [slots],
    );
  },
};
