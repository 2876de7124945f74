-- concurrently
-- How many members gave each reaction to a post, counted from the index alone.
create index concurrently if not exists reaction_by_type on community.reaction (post_id, type);
