-- In which quarters of an hour members were there, by what they did: distinct members of any period are counted from it,
-- without reading events.

set local timezone = 'UTC';

-- What has been stored and is not in `presence` yet. Appended to, so that nobody waits; reports read it too.
create table analytics.arrival (
  name smallint not null,
  slot timestamptz not null,
  person integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- `subject` is the number of a name; 0 stands for any event of clients, -1 for page views. `before` is the member's quarter
-- of an hour before this one. A member who was there in a period is counted where `before` lies before the period.
create table analytics.presence (
  person integer not null,
  subject smallint not null,
  slot timestamptz not null,
  before timestamptz not null,
  primary key (person, subject, slot)
);

-- How many members were there on a day and, before it, last on another one: the same, by day of UTC.
create table analytics.gap (
  subject smallint not null,
  day date not null,
  before date not null,
  members bigint not null,
  primary key (subject, day, before)
) with (fillfactor = 70);

insert into analytics.presence (person, subject, slot, before)
select person, subject, slot, coalesce(lag(slot) over (partition by person, subject order by slot), '-infinity')
from (
  select distinct e.person, s.subject, date_bin('15 minutes', e.occurred_at, 'epoch') as slot
  from analytics.event e join analytics.name n on n.no = e.name
  cross join lateral (
    select n.no as subject
    union all select 0 where n.source = 'client'
    union all select -1 where n.source = 'client' and n.name = 'page.view') s
  union
  -- Of months that were dropped only the days are known.
  select p.person, -p.subject, p.start::timestamptz from analytics.present p
  where p.grain = 1 and not exists (
    select from analytics.event e where e.person = p.person
      and e.occurred_at >= p.start::timestamptz and e.occurred_at < p.start::timestamptz + interval '1 day')) known;

insert into analytics.gap (subject, day, before, members)
select subject, slot::date, before::date, count(*) from analytics.presence where before::date < slot::date group by 1, 2, 3;

create index presence_by_time on analytics.presence (subject, slot) include (before, person);
create index presence_by_before on analytics.presence (subject, before) include (slot) where subject <= 0;

delete from analytics.delta where grain > 0;
alter table analytics.delta drop column grain;
alter table analytics.delta rename column subject to name;
drop table analytics.members;
drop table analytics.present;
