import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';

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

export const rollupStore = (database: Database) => ({
  fold: async (tx: Transaction, limit: number): Promise<number> =>
    (await tx.first(fold, [limit]))?.moved ?? 0,

  /** Creates missing monthly tables around an instant: the coming months and the previous one. */
  addMonths: async (tx: Transaction, at: Date, ahead: number): Promise<void> => {
    await tx.execute(
      `select analytics.add_month((date_trunc('month', $1::timestamptz) + n * interval '1 month')::date)
       from generate_series(-1, $2::integer) n`,
      [at, ahead],
    );
  },

  /** Returns the months that ended before an instant, oldest first, by the names of their tables. */
  monthsBefore: async (at: Date): Promise<string[]> => {
    const rows = await database.all<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'analytics.event'::regclass and c.relname ~ '^event_\\d{4}_\\d{2}$'
         and to_date(substr(c.relname, 7), 'YYYY_MM') + interval '1 month' <= $1::timestamptz
       order by 1`,
      [at],
    );
    return rows.map(({ name }) => name);
  },

  /** Drops a month's events; the counts of each member remain. */
  dropMonth: async (tx: Transaction, name: string): Promise<void> => {
    await tx.execute(`set local lock_timeout = '2s'`);
    await tx.execute(
      `insert into analytics.past as known (person, name, own_name, own_type, events)
       select person, name, coalesce(own_name, ''), coalesce(own_type, ''), count(*)
       from analytics.${name} group by 1, 2, 3, 4 order by 1, 2, 3, 4
       on conflict (person, name, own_name, own_type) do update set events = known.events + excluded.events`,
    );
    const end = `(to_date($1, '"event_"YYYY_MM') + interval '1 month')`;
    await tx.execute(`delete from analytics.own_day where day < ${end}::date`, [name]);
    await tx.execute(`delete from analytics.own_slot where slot < ${end}::timestamptz`, [name]);
    await tx.execute(`delete from analytics.packed where hour < ${end}::timestamptz`, [name]);
    await tx.execute(`delete from analytics.unpacked where hour < ${end}::timestamptz`, [name]);
    await tx.execute(`drop table analytics.${name}`);
  },

  forgetSeen: async (tx: Transaction, before: Date): Promise<void> => {
    await tx.execute('delete from analytics.seen where received_at <= $1', [before]);
  },
});

export type RollupStore = ReturnType<typeof rollupStore>;
