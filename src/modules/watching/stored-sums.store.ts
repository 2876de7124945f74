import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import { MICROS, OVERLAPPING, overlapValues } from './overlapping.store.ts';
import type { Span } from './spans.model.ts';

/** Instants up to which slot and day sums have been stored. */
export interface StoredUntil {
  slotsUntil: Date;
  daysUntil: Date;
}

/** SQL of stored sums of sessions. */
export const sumStore = {
  storedUntil: (queries: Queries): Promise<StoredUntil | undefined> =>
    queries.first<StoredUntil>('select slots_until, days_until from watching.kept'),

  firstStart: async (queries: Queries): Promise<Date | undefined> =>
    (
      await queries.first<{ startedAt: Date }>(
        'select started_at from watching.session order by started_at limit 1',
      )
    )?.startedAt,

  async setStoredUntil(tx: Transaction, { slotsUntil, daysUntil }: StoredUntil): Promise<void> {
    await tx.execute(
      `insert into watching.kept (slots_until, days_until) values ($1, $2)
       on conflict (is_only) do update set slots_until = excluded.slots_until, days_until = excluded.days_until`,
      [slotsUntil, daysUntil],
    );
  },

  /** Raises the memory for sorting in this transaction above that of requests. */
  async raiseMemory(tx: Transaction): Promise<void> {
    await tx.execute(`set local work_mem = '64MB'`);
  },

  /** Stores the sums of the whole quarters of an hour of a span. */
  async storeSlots(tx: Transaction, { from, to }: Span): Promise<void> {
    await tx.execute('delete from watching.slot where slot >= $1', [from]);
    await tx.execute(
      `insert into watching.slot (slot, content_type, micros)
       select slot, content_type,
         (extract(epoch from sum(least(e, slot + interval '15 minutes') - greatest(s, slot))) * 1000000)::bigint
       from (${OVERLAPPING}) watched
       cross join lateral generate_series(date_bin('15 minutes', s, 'epoch'), e, interval '15 minutes') as slot
       where e > slot group by 1, 2`,
      overlapValues([{ from, to }], {}),
    );
  },

  /** Stores the sums of a day. */
  async storeDay(tx: Transaction, { from, to }: Span): Promise<void> {
    await tx.execute('delete from watching.daily where day >= $1::timestamptz::date', [from]);
    await tx.execute(
      `with watched as materialized (${OVERLAPPING}),
       parts as (
         select e.educator, f.platform, f.type, w.s, w.e, w.is_carried
         from watched w
         cross join lateral (values ('', ''), (w.platform, ''), ('', w.content_type), (w.platform, w.content_type))
           as f (platform, type)
         cross join lateral (values (''), (w.educator_id)) as e (educator) where e.educator is not null),
       running as (
         select educator, platform, type, at,
           sum(step) over (partition by educator, platform, type order by at, step rows unbounded preceding) as open
         from (select educator, platform, type, s as at, 1 as step from parts
           union all select educator, platform, type, e, -1 from parts) steps),
       peaks as (
         select distinct on (educator, platform, type) educator, platform, type, open, at from running
         order by educator, platform, type, open desc, at)
       insert into watching.daily
         (day, educator_id, platform, content_type, peak, peak_at, micros, sessions, carried)
       select $6::timestamptz::date, educator, platform, type, open, at, micros, sessions, carried
       from peaks join (
         select educator, platform, type, ${MICROS} as micros, count(*) as sessions,
           count(*) filter (where is_carried) as carried
         from parts group by educator, platform, type) sums using (educator, platform, type)`,
      [...overlapValues([{ from, to }], {}), from],
    );
  },
};
