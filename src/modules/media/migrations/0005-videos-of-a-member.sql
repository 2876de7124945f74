-- concurrently
-- Uploads and videos of a member, for the export of their data.
create index concurrently if not exists upload_by_owner on media.upload (owner_id, id);
create index concurrently if not exists video_by_owner on media.video (owner_id, id);
