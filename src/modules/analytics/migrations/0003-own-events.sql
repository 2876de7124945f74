-- Names of members count by themselves once several members use them; and what members ask of their own events is read
-- from sums.

-- The name that the client sent, of an event that is counted under another one.
alter table analytics.event add column own_name text collate "C", add column own_type text collate "C";

alter table analytics.name
  -- Null for names from before there was a rate, and for those that every installation has.
  add column listed_at timestamptz,
  -- The name under which events are counted whose name an administrator has removed.
  add column counted_as smallint references analytics.name (no);
create index name_of_clients on analytics.name (listed_at desc nulls last, no) where source = 'client';

-- The names of the specification with its types, and `other` for all names and types beside them: these are always there.
insert into analytics.name (source, name, type)
select 'client', name, type
from unnest(array['page.view', 'section.scroll', 'exit.intent', 'button.click', 'form.submit', 'video.play',
  'video.complete', 'trade.created', 'trade.viewed', 'market.searched', 'course.viewed', 'lesson.started',
  'lesson.completed', 'course.enrolled', 'signup.started', 'signup.completed', 'payment.initiated', 'payment.completed',
  'other']) name
cross join unnest(array['navigation', 'interaction', 'conversion', 'trading', 'education', 'engagement', 'other']) type
on conflict do nothing;

-- Names as reports show them.
create view analytics.reported as
select n.no, n.source, coalesce(c.name, n.name) as name, coalesce(c.type, n.type) as type
from analytics.name n left join analytics.name c on c.no = n.counted_as;

-- Who uses which name that is not listed yet.
create table analytics.candidate (
  name text collate "C" not null,
  type text collate "C" not null,
  user_id text collate "C" not null,
  proposed_at timestamptz not null,
  -- Whether the name was listed with this member's help. Each member helps a limited number of names.
  is_listed boolean not null default false,
  primary key (name, type, user_id)
);
create index candidate_of_member on analytics.candidate (user_id, is_listed);
create index candidate_to_forget on analytics.candidate (proposed_at) where not is_listed;

-- How many events of their clients members have, by day of UTC and by quarter of an hour. An empty own name stands for the
-- name by whose number the events are counted.
create table analytics.own_day (
  person integer not null,
  day date not null,
  name smallint not null,
  own_name text collate "C" not null,
  own_type text collate "C" not null,
  events bigint not null,
  primary key (person, day, name, own_name, own_type)
) with (fillfactor = 70);
create table analytics.own_slot (
  person integer not null,
  slot timestamptz not null,
  name smallint not null,
  own_name text collate "C" not null,
  own_type text collate "C" not null,
  events bigint not null,
  primary key (person, slot, name, own_name, own_type)
) with (fillfactor = 70);
-- What members did in months that were dropped keeps their own names, too.
alter table analytics.past
  add column own_name text collate "C" not null default '', add column own_type text collate "C" not null default '';

create index own_day_by_time on analytics.own_day using brin (day);
create index own_slot_by_time on analytics.own_slot using brin (slot);
