-- concurrently
-- Reports of what a member published, and reports that they made.
create index concurrently if not exists report_by_author on moderation.report (author_id, id desc);
create index concurrently if not exists report_by_reporter on moderation.report (reported_by, id desc);
