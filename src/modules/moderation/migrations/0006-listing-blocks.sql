-- concurrently
-- The blocks of a member, newest first, for reading on after one of them.
create index concurrently if not exists block_listing on moderation.block (blocker_id, created_at desc, blocked_id desc);
