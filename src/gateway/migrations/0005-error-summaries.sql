-- How often each kind of failure happened on each day, and who met it: summaries of weeks read these few rows instead of a
-- million reports. A kind is an operation with a code and a status, a code with a status, or an operation; what does not
-- distinguish it is empty.
create table gateway.error_kind (
  id integer generated always as identity primary key,
  grouping text not null check (grouping in ('both', 'code', 'operation')),
  operation text not null,
  code text not null,
  status smallint not null,
  constraint error_kind_once unique (grouping, operation, code, status)
);

create table gateway.error_day (
  -- UTC.
  day date not null,
  kind_id integer not null,
  count integer not null,
  -- Of each quarter of an hour, 96 numbers.
  slots integer[] not null,
  primary key (day, kind_id)
);

create table gateway.error_member (
  kind_id integer not null,
  user_id text not null,
  day date not null,
  -- The first and the last quarter of an hour of the day, from 0.
  first_slot smallint not null,
  last_slot smallint not null,
  primary key (kind_id, user_id, day) include (first_slot, last_slot)
);
create index error_member_by_day on gateway.error_member (day);

create view gateway.error_of_kind as
select e.error_id, e.user_id, (e.created_at at time zone 'UTC')::date as day,
  floor(extract(epoch from e.created_at at time zone 'UTC') / 900)::bigint % 96 as slot,
  kind.grouping, kind.operation, kind.code, kind.status
from gateway.error_report e
cross join lateral (values ('both', e.operation, e.code, e.status), ('code', '', e.code, e.status),
  ('operation', e.operation, '', 0::smallint)) as kind (grouping, operation, code, status);

-- Rows in one order, so that two processes that store reports do not wait for each other in a circle.
-- Null stands for all reports.
create function gateway.summarize_errors(ids uuid[]) returns void language plpgsql
set plan_cache_mode = force_custom_plan as $$
begin
  insert into gateway.error_kind (grouping, operation, code, status)
  select distinct grouping, operation, code, status from gateway.error_of_kind o
  where (ids is null or error_id = any(ids)) and not exists (select from gateway.error_kind k
    where (k.grouping, k.operation, k.code, k.status) = (o.grouping, o.operation, o.code, o.status))
  order by 1, 2, 3, 4
  on conflict do nothing;

  insert into gateway.error_day as kept (day, kind_id, count, slots)
  select day, kind_id, sum(n), (
    select array_agg(coalesce(filled.n, 0) order by i)
    from generate_series(0, 95) i left join unnest(array_agg(slot), array_agg(n)) filled (slot, n) on filled.slot = i)
  from (
    select day, k.id as kind_id, slot, count(*) as n
    from gateway.error_of_kind join gateway.error_kind k using (grouping, operation, code, status)
    where (ids is null or error_id = any(ids))
    group by 1, 2, 3) counted
  group by day, kind_id
  order by day, kind_id
  on conflict (day, kind_id) do update set count = kept.count + excluded.count,
    slots = array(select old + new from unnest(kept.slots, excluded.slots) with ordinality s (old, new, i) order by i);

  insert into gateway.error_member as kept (kind_id, user_id, day, first_slot, last_slot)
  select k.id, user_id, day, min(slot), max(slot)
  from gateway.error_of_kind join gateway.error_kind k using (grouping, operation, code, status)
  where (ids is null or error_id = any(ids)) and user_id is not null
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (kind_id, user_id, day) do update set
    first_slot = least(kept.first_slot, excluded.first_slot), last_slot = greatest(kept.last_slot, excluded.last_slot)
  where excluded.first_slot < kept.first_slot or excluded.last_slot > kept.last_slot;
end $$;

create function gateway.summarize_added_errors() returns trigger language plpgsql as $$
begin
  perform gateway.summarize_errors(array_agg(error_id)) from added;
  return null;
end $$;
-- A trigger, so that reports of programs of the former version count, too.
create trigger errors_summarized after insert on gateway.error_report
  referencing new table as added for each statement execute function gateway.summarize_added_errors();

-- Those that there are, in one transaction with the trigger, so that each counts once. Reports that are to be stored
-- meanwhile, seconds at a million, wait; requests do not wait for them.
select gateway.summarize_errors(null);
