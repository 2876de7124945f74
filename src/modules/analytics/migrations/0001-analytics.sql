-- What members do, as clients tell of it and as the platform itself knows; and what is kept of it, so that reports do not
-- read it all.

create schema analytics;

-- A member's number. Deleting the row makes what the member did anonymous at once.
create table analytics.person (
  no integer generated always as identity primary key,
  user_id text collate "C" not null unique
);

-- Names of events with their types, of clients and of the platform apart: both may name an event alike, and neither is
-- counted twice.
create table analytics.name (
  no smallint generated always as identity primary key,
  source text collate "C" not null check (source in ('client', 'platform')),
  name text collate "C" not null,
  type text collate "C" not null,
  constraint name_is_one unique (source, name, type)
);

-- By month, so that old ones go by dropping a table. Ids are made by the program, hence plain text.
create table analytics.event (
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  person integer not null,
  name smallint not null,
  id text collate "C" not null,
  metadata jsonb not null
) partition by range (occurred_at);
-- Both cover: neither reports over a period nor those over a member's events read the table.
create index event_by_person on analytics.event (person, occurred_at) include (name);
create index event_by_time on analytics.event (occurred_at) include (person, name);
-- Takes what no month is there for; the job that makes months takes it from here.
create table analytics.event_other partition of analytics.event default;

create function analytics.add_month(month date) returns void language plpgsql as $$
declare
  partition text := 'event_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass('analytics.' || partition) is not null then return; end if;
  execute format('create table analytics.%I (like analytics.event including defaults)', partition);
  execute format(
    'with moved as (delete from analytics.event_other where occurred_at >= %L and occurred_at < %L returning *)
     insert into analytics.%I select * from moved', month::timestamptz, (month + interval '1 month')::timestamptz, partition);
  execute format('alter table analytics.event attach partition analytics.%I for values from (%L) to (%L)',
    partition, month::timestamptz, (month + interval '1 month')::timestamptz);
end $$;
set local timezone = 'UTC';
select analytics.add_month((date_trunc('month', now()) + n * interval '1 month')::date) from generate_series(-2, 3) n;

-- Names that clients gave their events, for seven days: sent twice, they count once.
create table analytics.seen (
  person integer not null,
  event_id uuid not null,
  received_at timestamptz not null,
  primary key (person, event_id)
);
create index seen_by_age on analytics.seen using brin (received_at);

-- What has been counted and not been added up yet. Appended to, so that nobody waits for a counter; reports read it too.
create table analytics.delta (
  -- 0: events of a quarter of an hour, by name. 1, 2, 3: members of a day, week or month, by subject.
  grain smallint not null,
  start timestamptz not null,
  -- Of a name its number; of members 0 for any event, 1 for page views.
  subject smallint not null,
  n bigint not null,
  cents bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
-- Added up: quarters of an hour, of which the days of every time zone are made, and days of UTC.
create table analytics.slot (
  start timestamptz not null,
  name smallint not null,
  events bigint not null,
  cents bigint not null,
  primary key (start, name)
) with (fillfactor = 70);
create table analytics.daily (
  day date not null,
  name smallint not null,
  events bigint not null,
  cents bigint not null,
  primary key (day, name)
) with (fillfactor = 70);
create table analytics.members (
  grain smallint not null,
  subject smallint not null,
  start date not null,
  members bigint not null,
  primary key (grain, subject, start)
) with (fillfactor = 70);
-- Who was there in a day, week or month of UTC: what distinct members are counted from.
create table analytics.present (
  subject smallint not null,
  grain smallint not null,
  start date not null,
  person integer not null,
  primary key (subject, grain, start, person)
);
create index present_of_person on analytics.present (person);

-- Visits, by quarter of an hour: how many began, and for how long visits went on.
create table analytics.visit (
  slot timestamptz primary key,
  visits bigint not null,
  seconds numeric not null
) with (fillfactor = 70);
-- Quarters of an hour whose visits are to be worked out anew. Appended to: what is not committed yet cannot be taken away.
create table analytics.dirty (slot timestamptz not null)
  with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- Of months that were dropped: how often each member did what.
create table analytics.past (
  person integer not null,
  name smallint not null,
  events bigint not null,
  primary key (person, name)
);

-- How many steps of a funnel a chain of events reaches. `chain` is sorted: milliseconds and, in the last five bits, 31 less
-- the step, so that at one instant later steps come first and no event follows itself or another of the same instant.
-- For each step the newest beginning of a chain that reached it is enough: where an older one passes, it passes.
create function analytics.depth(chain bigint[], within bigint, steps integer) returns integer
  language plpgsql immutable strict as $$
declare
  began bigint[] := array_fill(null::bigint, array[steps]);
  code bigint;
  at bigint;
  step integer;
  deepest integer := 0;
begin
  foreach code in array chain loop
    at := code >> 5;
    step := 31 - (code & 31)::integer;
    if step = 1 then
      began[1] := at;
      deepest := greatest(deepest, 1);
    elsif at - began[step - 1] <= within then
      began[step] := began[step - 1];
      if step > deepest then
        deepest := step;
        if deepest = steps then return steps; end if;
      end if;
    end if;
  end loop;
  return deepest;
end $$;
