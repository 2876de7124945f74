-- Since when a member may have notifications about a room, which go when they leave it; null if there are none.
alter table chat.member add column notified_since timestamptz;
