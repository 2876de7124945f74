-- A page of a member's events in order of time, for the export of their data. The planner expects few events of a member and
-- would sort all that are left for each page; without sorts it merges the months by their indexes.
create function analytics.events_of(of_person integer, since timestamptz, after_id text, most integer)
returns setof analytics.event language sql stable
set enable_sort = off set enable_seqscan = off set enable_bitmapscan = off as $$
  select * from analytics.event
  where person = of_person and occurred_at >= since and (occurred_at, id) > (since, after_id)
  order by occurred_at, id limit most
$$;
