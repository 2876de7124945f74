-- concurrently
-- Videos that failed or are being processed, newest first: the list and the count of what waits for a person.
create index concurrently if not exists video_unfinished on media.video (id) where status <> 'complete';
drop index concurrently if exists media.video_failed;
