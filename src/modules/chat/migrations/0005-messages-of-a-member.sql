-- concurrently
-- The messages of a member in all rooms, for when they are muted and their latest messages deleted.
create index concurrently if not exists message_of_user on chat.message (user_id, id) where deleted_at is null;
