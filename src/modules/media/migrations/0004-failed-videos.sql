-- concurrently
-- What waits for a person.
create index concurrently if not exists video_failed on media.video (id) where status = 'failed';
