-- breaks older programs
-- Older programs rely on an index over the subjects of all notifications.

drop trigger notifications_told on notifications.notification;
drop function notifications.note_told;
drop trigger notifications_added on notifications.notification;
drop trigger notifications_changed on notifications.notification;
drop trigger notifications_removed on notifications.notification;
drop index notifications.notification_subject;
select kernel.divide_by_month('notifications.notification');
select kernel.divide_by_month('notifications.delivery');

alter table notifications.tally drop constraint tally_pkey, add constraint tally_pkey primary key using index tally_by_month;
alter table notifications.tally alter column month drop default;
select kernel.divide_by_month('notifications.tally');

-- As before, but by month, and in the order of members and months, so that two statements do not deadlock.
create or replace function notifications.count_added() returns trigger language plpgsql as $$
begin
  insert into notifications.tally as kept (user_id, month, total, unread)
    select user_id, notifications.month_of(id), count(*), count(*) filter (where read_at is null)
    from added group by 1, 2 order by 1, 2
  on conflict (user_id, month) do update set total = kept.total + excluded.total, unread = kept.unread + excluded.unread;
  return null;
end $$;
create trigger notifications_added after insert on notifications.notification
  referencing new table as added for each statement execute function notifications.count_added();

create or replace function notifications.count_changed() returns trigger language plpgsql as $$
begin
  update notifications.tally set unread = tally.unread + change.unread
  from (
    select user_id, notifications.month_of(id) as month,
      count(*) filter (where after.read_at is null) - count(*) filter (where before.read_at is null) as unread
    from added after join removed before using (id, user_id) group by 1, 2 order by 1, 2
  ) change
  where tally.user_id = change.user_id and tally.month = change.month and change.unread <> 0;
  return null;
end $$;
create trigger notifications_changed after update on notifications.notification
  referencing new table as added old table as removed
  for each statement execute function notifications.count_changed();

create or replace function notifications.count_removed() returns trigger language plpgsql as $$
begin
  update notifications.tally set total = tally.total - gone.total, unread = tally.unread - gone.unread
  from (
    select user_id, notifications.month_of(id) as month, count(*) as total, count(*) filter (where read_at is null) as unread
    from removed group by 1, 2 order by 1, 2
  ) gone
  where tally.user_id = gone.user_id and tally.month = gone.month;
  return null;
end $$;
create trigger notifications_removed after delete on notifications.notification
  referencing old table as removed for each statement execute function notifications.count_removed();
