-- concurrently
-- Who is muted in a room or banned from it, as its moderators list them.
create index concurrently if not exists member_restrictions on chat.member (room_id, user_id)
  where banned_at is not null or muted_until is not null;
