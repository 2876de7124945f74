-- How many members gave each reaction to a post: counting twenty thousand at each look would take too long.
create table community.reaction_tally (
  post_id kernel.object_id not null references community.post on delete cascade,
  type text not null,
  count bigint not null,
  primary key (post_id, type)
) with (fillfactor = 50);

-- Whoever changes reactions has locked the post. In the order of posts and types, so that two statements do not deadlock.
create function community.count_reactions() returns trigger language plpgsql as $$
begin
  insert into community.reaction_tally as kept
    select post_id, type, count(*) from added group by 1, 2 order by 1, 2
  on conflict (post_id, type) do update set count = kept.count + excluded.count;
  return null;
end $$;
create trigger reactions_added after insert on community.reaction
  referencing new table as added for each statement execute function community.count_reactions();

create function community.discount_reactions() returns trigger language plpgsql as $$
begin
  update community.reaction_tally kept set count = kept.count - gone.count
  from (select post_id, type, count(*) as count from removed group by 1, 2 order by 1, 2) gone
  where kept.post_id = gone.post_id and kept.type = gone.type;
  return null;
end $$;
create trigger reactions_removed after delete on community.reaction
  referencing old table as removed for each statement execute function community.discount_reactions();
