-- concurrently
-- Counts the livestreams of a host that are to come or live, of which there is a limit.
create index concurrently if not exists livestream_to_come on livestreams.livestream (host_id)
  where status in ('scheduled', 'live');
