-- The last day (UTC) on which each user used a session: what lists of users who were not seen for long read in their order,
-- however many sessions there are. A user who has not signed in yet has -infinity.
create table identity.last_seen (
  user_id kernel.object_id not null references identity.user on delete cascade,
  day date not null,
  constraint last_seen_pkey primary key (user_id) include (day)
);
create index last_seen_by_day on identity.last_seen (day, user_id);

create function identity.see_new_user() returns trigger language plpgsql as $$
begin
  insert into identity.last_seen (user_id, day) values (new.id, '-infinity') on conflict do nothing;
  return null;
end $$;
create trigger user_not_seen after insert on identity.user
  for each row execute function identity.see_new_user();

-- Writes once a day for each user.
create function identity.see_user() returns trigger language plpgsql as $$
declare
  today date := (new.last_used_at at time zone 'UTC')::date;
begin
  if not exists (select from identity.last_seen where user_id = new.user_id and day >= today) then
    insert into identity.last_seen as kept (user_id, day) values (new.user_id, today)
    on conflict (user_id) do update set day = excluded.day where kept.day < excluded.day;
  end if;
  return null;
end $$;
create trigger session_opened after insert on identity.session
  for each row execute function identity.see_user();
create trigger session_used after update of last_used_at on identity.session
  for each row execute function identity.see_user();
