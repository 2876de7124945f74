-- Notifications, deliveries and counts are divided by month in this file and the next two, as `kernel/0011-months` says, so
-- that what a member is told has to be unique elsewhere: a divided table is unique only within its months.

-- A notification stays as long as one of its deliveries is under way.
select kernel.prepare_months('notifications.notification', 'id', $$part.id = any (array(
  select notification_id from notifications.delivery where notification_id < <ends> and status in ('pending', 'batched')))$$);
select kernel.prepare_months('notifications.delivery', 'notification_id', $$part.status in ('pending', 'batched')$$);

-- Counts are kept by month, and go with it. All that there are count for the part from before.
alter table notifications.tally add column month date not null default '-infinity';
select kernel.prepare_months('notifications.tally', 'month', follows => 'notifications.notification');
do $$ begin
  execute format($f$create function notifications.month_of(id text) returns date language sql immutable
    return case when id < %L then date '-infinity' else kernel.month_of_id(id) end$f$,
    (select kernel.month_bound(name::regclass, key_column, first_month) from kernel.monthly where name = 'notifications.notification'));
end $$;

-- The subjects of which members have been told. Most subjects end in the id of an event; here they begin with it, so that
-- they, too, are divided by month: an event is delivered again within weeks, if at all.
create function notifications.subject_key(subject text) returns text language sql immutable
  return case when subject ~ ':[0-9a-f]{24}$' then right(subject, 24) || ':' || left(subject, -25) else subject end;
create table notifications.told (
  user_id text collate "C" not null,
  subject text collate "C" not null,
  primary key (user_id, subject)
) partition by range (subject);
create table notifications.told_other partition of notifications.told default;
insert into kernel.monthly (name, key_column) values ('notifications.told', 'subject');
select kernel.add_month('notifications.told', (date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from generate_series(-1, 3) n;

-- What the former program tells until the tables are divided.
create function notifications.note_told() returns trigger language plpgsql as $$
begin
  insert into notifications.told (user_id, subject)
    select user_id, notifications.subject_key(subject) from added where subject is not null order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger notifications_told after insert on notifications.notification
  referencing new table as added for each statement execute function notifications.note_told();
