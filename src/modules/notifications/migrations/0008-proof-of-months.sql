-- concurrently
-- Reads both tables once, about ten seconds for ten million rows, and copies the subjects of the last month, about a minute
-- for ten million. Nothing waits for it.
alter table notifications.notification validate constraint before_months;
alter table notifications.delivery validate constraint before_months;
alter table notifications.tally validate constraint before_months;
create unique index concurrently if not exists tally_by_month on notifications.tally (user_id, month);
do $$ declare place text := lpad(to_hex(extract(epoch from now() - interval '31 days')::bigint), 8, '0'); reached text; begin loop
  select max(id) into reached from (select id from notifications.notification where id > place order by id limit 5000) portion
  ; exit when reached is null
  ; insert into notifications.told (user_id, subject)
    select user_id, notifications.subject_key(subject) from notifications.notification
    where id > place and id <= reached and subject is not null order by 1, 2 on conflict do nothing
  ; commit; place := reached
  ; end loop; end $$;
