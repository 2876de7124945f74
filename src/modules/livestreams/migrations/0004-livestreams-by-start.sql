-- concurrently
-- Lists the next livestreams, of all states and of one.
create index concurrently if not exists livestream_by_start on livestreams.livestream (scheduled_start, id);
create index concurrently if not exists livestream_by_status_start on livestreams.livestream (status, scheduled_start, id);
