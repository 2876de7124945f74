-- concurrently
-- The rooms that a member has left, or is muted in or banned from without being in them, for their export and erasure.
create index concurrently if not exists former_members on chat.member (user_id, room_id) where not is_member;
