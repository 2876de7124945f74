import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { Seed } from '../seed.ts';

/** Names of events with their types, and the frequency of each per hundred. */
const NAMES: [string, string, number][] = [
  ['page.view', 'navigation', 42],
  ['section.scroll', 'interaction', 12],
  ['button.click', 'interaction', 14],
  ['course.viewed', 'education', 7],
  ['video.play', 'engagement', 8],
  ['video.complete', 'engagement', 4],
  ['trade.viewed', 'trading', 6],
  ['market.searched', 'trading', 4],
  ['form.submit', 'conversion', 2],
  ['exit.intent', 'navigation', 1],
];

const SLOT = `date_bin('15 minutes', occurred_at, 'epoch')`;

/** Seeds the visits of members, event by event, and the actions that the other seeds report in `seeded_fact`. */
export const analyticsSeed: Seed = {
  large: async (tx, { days }) => {
    await names(tx, days);
    const events = await visits(tx);
    await tx.execute('analyze analytics.event');
    await facts(tx);
    await rebuildSums(tx);
    return `${events.toLocaleString('en-US')} events`;
  },
};

async function names(tx: Transaction, days: number): Promise<void> {
  await tx.execute(
    `select kernel.add_month('analytics.event', (date_trunc('month', now()) - n * interval '1 month')::date)
     from generate_series(0, $1::integer / 28 + 1) n`,
    [days],
  );
  await tx.execute(
    'insert into analytics.person (user_id) select id from seeded_member order by id on conflict do nothing',
  );
  await tx.execute(
    `insert into analytics.name (source, name, type) select 'client', name, type
     from unnest($1::text[], $2::text[]) s (name, type) on conflict do nothing`,
    [NAMES.map(([name]) => name), NAMES.map(([, type]) => type)],
  );
}

/** Writes the visits; returns the number of events. */
function visits(tx: Transaction): Promise<number> {
  const shares = NAMES.flatMap((named) => Array.from({ length: named[2] }, () => named));
  return tx.execute(
    `with visit as (
       select p.no as person, pg_temp.instant(d) as began, 2 + floor(-ln(random()) * 7)::integer as length
       from seeded_member s join analytics.person p on p.user_id = s.id
       cross join lateral generate_series(0, extract(day from now() - s.at)::integer) d
       where random() + 0 * d < 0.05 + 0.5 * s.zeal),
     numbered as (
       select array_agg(n.no order by place) as names
       from unnest($1::text[], $2::text[]) with ordinality u (name, type, place)
       join analytics.name n on n.source = 'client' and n.name = u.name and n.type = u.type)
     insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
     select at, at, person, names[1 + floor(random() * array_length(names, 1))], pg_temp.new_id(at), '{}'
     from visit cross join numbered cross join lateral generate_series(1, length) k
     cross join lateral (select date_trunc('milliseconds', least(now(), began + k * (10 + random() * 50) * interval '1 second')) as at) t`,
    [shares.map(([name]) => name), shares.map(([, type]) => type)],
  );
}

async function facts(tx: Transaction): Promise<void> {
  await tx.execute(
    `insert into analytics.name (source, name, type) select distinct 'platform', name, type from seeded_fact
     on conflict do nothing`,
  );
  await tx.execute(
    `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
     select at, at, p.no, n.no, pg_temp.new_id(at), '{}'
     from seeded_fact f join analytics.name n on n.source = 'platform' and n.name = f.name
     join analytics.person p using (user_id)`,
  );
}

/** Rebuilds the aggregates of all events as tracking would have written them; tracking waits until the commit. */
export async function rebuildSums(queries: Pick<Queries, 'execute'>): Promise<void> {
  await queries.execute(
    `truncate analytics.delta, analytics.slot, analytics.daily, analytics.arrival, analytics.presence, analytics.gap,
       analytics.visit, analytics.dirty, analytics.own_day, analytics.own_slot, analytics.packed,
       analytics.unpacked;
     insert into analytics.delta (start, name, n, cents)
       select ${SLOT}, name, count(*), coalesce(sum((metadata ->> 'cents')::bigint) filter (where name in (
         select no from analytics.name where source = 'platform' and name like 'payment.%')), 0)
       from analytics.event group by 1, 2;
     insert into analytics.own_slot (person, slot, name, own_name, own_type, events)
       select person, ${SLOT}, name, coalesce(own_name, ''), coalesce(own_type, ''), count(*) from analytics.event
       where name in (select no from analytics.name where source = 'client') group by 1, 2, 3, 4, 5;
     insert into analytics.own_day (person, day, name, own_name, own_type, events)
       select person, slot::date, name, own_name, own_type, sum(events) from analytics.own_slot group by 1, 2, 3, 4, 5;
     create temporary table of_slot as select distinct person, name, ${SLOT} as slot from analytics.event;
     insert into analytics.presence (person, subject, slot, before)
       select person, subject, slot, coalesce(lag(slot) over (partition by person, subject order by slot), '-infinity')
       from (
         select person, name as subject, slot from of_slot
         union all select distinct o.person, 0, o.slot from of_slot o join analytics.name n on n.no = o.name
           where n.source = 'client'
         union all select distinct o.person, -1, o.slot from of_slot o join analytics.name n on n.no = o.name
           where n.source = 'client' and n.name = 'page.view') s;
     drop table of_slot;
     insert into analytics.gap (subject, day, before, members)
       select subject, slot::date, before::date, count(*) from analytics.presence where before::date < slot::date
       group by 1, 2, 3;
     insert into analytics.visit (slot, visits, seconds)
       select ${SLOT}, count(*) filter (where goes_on is not true), coalesce(sum(seconds) filter (where goes_on), 0)
       from (
         select occurred_at, gap <= interval '30 minutes' as goes_on, extract(epoch from gap) as seconds from (
           select occurred_at, occurred_at - lag(occurred_at) over (partition by person order by occurred_at) as gap
           from analytics.event where name in (select no from analytics.name where source = 'client')) o) g
       group by 1`,
  );
}
