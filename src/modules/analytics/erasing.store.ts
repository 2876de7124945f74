import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';

const EVENTS_AT_ONCE = 2_000;

/** SQL that anonymizes members. */
export const erasingStore = (database: Database) => ({
  /** Returns a member's number, if they have one. */
  numberOf: async (userId: ObjectId): Promise<number | undefined> =>
    (await database.first<{ no: number }>('select no from analytics.person where user_id = $1', [userId]))
      ?.no,
  /** Clears client data of some of a member's events; returns whether there may be more. */
  emptySome: async (no: number): Promise<boolean> => {
    const emptied = await database.execute(
      `update analytics.event e set metadata = '{}', own_name = null, own_type = null from (
         select tableoid as part, ctid as place from analytics.event
         where person = $1 and (metadata <> '{}' or own_name is not null)
           and name in (select no from analytics.name where source = 'client') limit ${EVENTS_AT_ONCE}) chosen
       where e.tableoid = chosen.part and e.ctid = chosen.place`,
      [no],
    );
    return emptied === EVENTS_AT_ONCE;
  },
  /** Deletes the link from the number to the member, and the rows that concern only this member. */
  forget: (no: number, userId: ObjectId): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.execute('delete from analytics.own_day where person = $1', [no]);
      await tx.execute('delete from analytics.own_slot where person = $1', [no]);
      await tx.execute(
        `insert into analytics.past as known (person, name, own_name, own_type, events)
         select person, name, '', '', sum(events)::bigint from analytics.past where person = $1 and own_name <> ''
         group by 1, 2 on conflict (person, name, own_name, own_type) do update
           set events = known.events + excluded.events`,
        [no],
      );
      await tx.execute(`delete from analytics.past where person = $1 and own_name <> ''`, [no]);
      await tx.execute('delete from analytics.candidate where user_id = $1', [userId]);
      await tx.execute('delete from analytics.seen where person = $1', [no]);
      await tx.execute('delete from analytics.person where no = $1', [no]);
    }),
});
