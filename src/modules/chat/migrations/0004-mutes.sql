-- concurrently
-- Where a member is muted, as support looks it up.
create index concurrently if not exists member_mutes on chat.member (user_id, room_id) where muted_until is not null;
