-- concurrently
-- What a member has watched, for the export of their data.
create index concurrently if not exists session_of_user on watching.session (user_id, id);
