-- concurrently
-- The followers of an educator and the viewers of a story, latest first, for reading on after one of them.
create index concurrently if not exists followers on educators.follow (educator_id, followed_at desc, user_id desc);
create index concurrently if not exists story_viewing on educators.story_view (story_id, viewed_at desc, user_id desc);
-- It has the viewers of one instant in the other order.
drop index concurrently if exists educators.story_viewers;
