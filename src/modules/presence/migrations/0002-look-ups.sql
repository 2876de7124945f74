-- Look-ups by the primary key, one for each pair asked for, whatever the planner believes. The table is empty at night and
-- full in the morning, so that a plan is often made for a table that seems to have one row; joined, it read all of the
-- table for each pair.

-- The members who are in their room through no process. Stable: as of the statement that calls it.
create function presence.absent(room_ids text[], user_ids text[]) returns table (room_id text, user_id text)
language sql stable set enable_seqscan = off as $$
  select asked.room_id, asked.user_id
  from (select distinct * from unnest(room_ids, user_ids) as pair (room_id, user_id)) asked
  left join lateral (
    select true as is_there from presence.present
    where present.room_id = asked.room_id and present.user_id = asked.user_id limit 1) known on true
  where known.is_there is null
$$;

-- Members leave their room, as far as one process knows. `offset 0` keeps the process out of the look-up, which would be by
-- the index of processes otherwise.
create function presence.leave(room_ids text[], user_ids text[], process text) returns void
language sql set enable_seqscan = off as $$
  delete from presence.present where ctid = any (array(
    select known.ctid from unnest(room_ids, user_ids) as asked (room_id, user_id)
    cross join lateral (
      select ctid, process_id from presence.present
      where present.room_id = asked.room_id and present.user_id = asked.user_id offset 0) known
    where known.process_id = process))
$$;
