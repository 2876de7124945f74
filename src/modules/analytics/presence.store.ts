import { statement, type Transaction } from '../../kernel/database/queries.ts';

/**
 * Moves arrivals into `presence`, and counts the gaps between days. Inserts new quarters of an hour among a member's
 * known ones in order: each new quarter refers to its predecessor in `before`, and the known quarter after them refers
 * to the last of them. Run by one process at a time; `$2` are the names of client events, `$3` those of page views.
 */
const link = statement<{ moved: number }>(
  'analytics.link-presence',
  `with moved as (
     delete from analytics.arrival where ctid in (select ctid from analytics.arrival limit $1)
     returning name, slot, person),
   fresh as (
     select person, subject, slot,
       lag(slot) over of_person as fresh_before, lead(slot) over of_person as fresh_after
     from (
       select distinct m.person, s.subject, m.slot from moved m
       cross join lateral (
         select m.name as subject
         union all select 0 where m.name = any($2::smallint[])
         union all select -1 where m.name = any($3::smallint[])) s) wanted
     where not exists (
       select from analytics.presence p where (p.person, p.subject, p.slot) = (wanted.person, wanted.subject, wanted.slot))
     window of_person as (partition by person, subject order by slot)),
   placed as (
     select f.*, greatest(f.fresh_before, known_before.slot, '-infinity') as before,
       case when known_after.slot < f.fresh_after or f.fresh_after is null then known_after.slot end as next,
       known_after.before as next_before
     from fresh f
     left join lateral (
       select p.slot from analytics.presence p
       where p.person = f.person and p.subject = f.subject and p.slot < f.slot order by p.slot desc limit 1
     ) known_before on true
     left join lateral (
       select p.slot, p.before from analytics.presence p
       where p.person = f.person and p.subject = f.subject and p.slot > f.slot order by p.slot limit 1
     ) known_after on true),
   inserted as (
     insert into analytics.presence (person, subject, slot, before)
     select person, subject, slot, before from placed),
   moved_on as (
     update analytics.presence p set before = f.slot from placed f
     where f.next is not null and p.person = f.person and p.subject = f.subject and p.slot = f.next),
   changes as (
     select subject, slot::date as day, before::date as before, 1 as members from placed
     union all
     select subject, next::date, next_before::date, -1 from placed where next is not null
     union all
     select subject, next::date, slot::date, 1 from placed where next is not null),
   counted as (
     insert into analytics.gap as known (subject, day, before, members)
     select subject, day, before, sum(members) from changes where before < day
     group by 1, 2, 3 having sum(members) <> 0 order by 1, 2, 3
     on conflict (subject, day, before) do update set members = known.members + excluded.members)
   select count(*) as moved from moved`,
);

/** SQL that writes presence. */
export const presenceStore = {
  async link(tx: Transaction, limit: number): Promise<number> {
    const names = await tx.all<{ no: number; isPageView: boolean }>(
      `select no, name = 'page.view' as "isPageView" from analytics.name where source = 'client'`,
    );
    const clients = names.map(({ no }) => no);
    const pageViews = names.filter(({ isPageView }) => isPageView).map(({ no }) => no);
    return (await tx.first(link, [limit, clients, pageViews]))?.moved ?? 0;
  },
};
