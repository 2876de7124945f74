-- concurrently
-- Reactions from before, in portions of their own transactions. No line but the last ends with a semicolon, which would end
-- the statement. What the triggers have counted of a portion meanwhile is counted again.
do $$ declare place text := ''; reached text; begin loop
  select max(id) into reached from (select id from community.post where id > place order by id limit 500) portion
  ; exit when reached is null
  ; perform id from community.post where id > place and id <= reached order by id for no key update
  ; delete from community.reaction_tally where post_id > place and post_id <= reached
  ; insert into community.reaction_tally
    select post_id, type, count(*) from community.reaction where post_id > place and post_id <= reached group by 1, 2
    on conflict (post_id, type) do update set count = excluded.count
  ; commit; place := reached
  ; end loop; end $$;
