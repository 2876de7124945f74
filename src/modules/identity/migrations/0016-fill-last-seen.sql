-- concurrently
-- Users from before, in portions of their own transactions. No line but the last ends with a semicolon, which would end the
-- statement.
do $$ declare place text := ''; reached text; begin loop
  select max(id) into reached from (select id from identity.user where id > place order by id limit 5000) portion
  ; exit when reached is null
  ; insert into identity.last_seen as kept (user_id, day)
    select u.id, coalesce((select (max(s.last_used_at) at time zone 'UTC')::date from identity.session s where s.user_id = u.id),
      '-infinity')
    from identity.user u where u.id > place and u.id <= reached order by u.id
    on conflict (user_id) do update set day = excluded.day where kept.day < excluded.day
  ; commit; place := reached
  ; end loop; end $$;
