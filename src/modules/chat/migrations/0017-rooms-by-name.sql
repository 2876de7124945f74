-- concurrently
-- Parts of the names of rooms, for whoever looks for one in the list of chatrooms.
create index concurrently if not exists room_by_name on chat.room using gin (lower(name) public.gin_trgm_ops)
  where deleted_at is null;
