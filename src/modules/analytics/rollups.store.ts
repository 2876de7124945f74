import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ClosedMonth } from '../../kernel/records/months.ts';

/**
 * Moves counts into sums, and marks their hours to be packed. One statement both deletes and adds, so that no count is missed or added twice, even with
 * concurrent commits.
 */
const fold = statement<{ moved: number }>(
  'analytics.fold',
  `with moved as (
     delete from analytics.delta where ctid in (select ctid from analytics.delta limit $1)
     returning start, name, n, cents),
   slots as (
     insert into analytics.slot as known (start, name, events, cents)
     select start, name, sum(n), sum(cents) from moved group by 1, 2 order by 1, 2
     on conflict (start, name) do update
       set events = known.events + excluded.events, cents = known.cents + excluded.cents),
   days as (
     insert into analytics.daily as known (day, name, events, cents)
     select start::date, name, sum(n), sum(cents) from moved group by 1, 2 order by 1, 2
     on conflict (day, name) do update
       set events = known.events + excluded.events, cents = known.cents + excluded.cents),
   marked as (
     insert into analytics.unpacked (hour, name)
     select distinct date_bin('1 hour', start, 'epoch'), name from moved order by 1, 2 on conflict do nothing)
   select count(*) as moved from moved`,
);

export const rollupStore = {
  fold: async (tx: Transaction, limit: number): Promise<number> =>
    (await tx.first(fold, [limit]))?.moved ?? 0,

  /** Counts what each member did in a month that is about to be dropped, and deletes what was derived from its events. */
  closeMonth: async (tx: Transaction, { starts, ends }: ClosedMonth): Promise<void> => {
    await tx.execute(
      `insert into analytics.past as known (person, name, own_name, own_type, events)
       select person, name, coalesce(own_name, ''), coalesce(own_type, ''), count(*)
       from analytics.event where occurred_at >= $1 and occurred_at < $2 group by 1, 2, 3, 4 order by 1, 2, 3, 4
       on conflict (person, name, own_name, own_type) do update set events = known.events + excluded.events`,
      [starts, ends],
    );
    await tx.execute('delete from analytics.own_day where day < $1::timestamptz::date', [ends]);
    await tx.execute('delete from analytics.own_slot where slot < $1', [ends]);
    await tx.execute('delete from analytics.packed where hour < $1', [ends]);
    await tx.execute('delete from analytics.unpacked where hour < $1', [ends]);
  },

  forgetSeen: async (tx: Transaction, before: Date): Promise<void> => {
    await tx.execute('delete from analytics.seen where received_at <= $1', [before]);
  },
};
