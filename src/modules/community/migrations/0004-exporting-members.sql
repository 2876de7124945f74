-- concurrently
-- What a member has posted and said and created, in order, for the export of their data.
create index concurrently if not exists post_of_user on community.post (user_id, id);
create index concurrently if not exists comment_of_user on community.comment (user_id, id);
create index concurrently if not exists community_of_creator on community.community (created_by, id);
-- These lead to the same rows.
drop index concurrently if exists community.post_by_user;
drop index concurrently if exists community.comment_by_user;
