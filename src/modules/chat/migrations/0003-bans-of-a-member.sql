-- Where a member is banned; the rooms that they are in have an index already.
create index member_bans on chat.member (user_id, room_id) where banned_at is not null;
