-- concurrently
-- The reports of an item by their state, newest first, for the worklist of what is reported.
create index concurrently if not exists report_of_item on moderation.report (kind, subject_id, status, id desc);
