-- concurrently
-- The deleted messages of a room by their place in it, for what stands around a reported one; message_listing has the others.
create index concurrently if not exists message_deleted_listing on chat.message (room_id, seq desc)
  where deleted_at is not null;
