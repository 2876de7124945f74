-- concurrently
-- Deleted messages of a member, for the export of their data; the others have an index already.
create index concurrently if not exists message_deleted_of_user on chat.message (user_id, id)
  where deleted_at is not null;
