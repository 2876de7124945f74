-- concurrently
-- Comments of a member, for the export of their data.
create index concurrently if not exists comment_of_user on educators.comment (user_id, id);
