-- Former addresses are erased like former names, and a hundred changes of them are kept.
alter table identity.former_name add column email text;
create or replace function identity.keep_former_name() returns trigger language plpgsql as $$
begin
  insert into identity.former_name (user_id, since, until, first_name, last_name, username, email)
  values (old.id, (select max(until) from identity.former_name where user_id = old.id), new.updated_at,
    old.first_name, old.last_name, old.username, old.email);
  -- A member may change their name without end.
  delete from identity.former_name where user_id = old.id and number < (
    select number from identity.former_name where user_id = old.id order by number desc offset 99 limit 1);
  return null;
end $$;
drop trigger user_renamed on identity.user;
create trigger user_renamed after update of first_name, last_name, username, email on identity.user
  for each row when (new.deleted_at is null and (old.first_name, old.last_name, old.username, old.email)
    is distinct from (new.first_name, new.last_name, new.username, new.email))
  execute function identity.keep_former_name();
