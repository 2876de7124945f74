-- Former names of members, until their accounts are deleted: whoever is erased is removed from others' records under every
-- name that they had when a record was written, and under no name that they took afterwards.
create table identity.former_name (
  user_id kernel.object_id not null references identity.user,
  number bigint generated always as identity,
  -- Null for the names with which the account was created.
  since timestamptz,
  until timestamptz not null,
  first_name text not null,
  last_name text not null,
  username text not null,
  primary key (user_id, number)
);
create function identity.keep_former_name() returns trigger language plpgsql as $$
begin
  insert into identity.former_name (user_id, since, until, first_name, last_name, username)
  values (old.id, (select max(until) from identity.former_name where user_id = old.id), new.updated_at,
    old.first_name, old.last_name, old.username);
  -- A member may change their name without end.
  delete from identity.former_name where user_id = old.id and number < (
    select number from identity.former_name where user_id = old.id order by number desc offset 19 limit 1);
  return null;
end $$;
create trigger user_renamed after update of first_name, last_name, username on identity.user
  for each row when (new.deleted_at is null and
    (old.first_name, old.last_name, old.username) is distinct from (new.first_name, new.last_name, new.username))
  execute function identity.keep_former_name();
