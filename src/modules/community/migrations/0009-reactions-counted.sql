-- concurrently
-- Reactions are no longer counted when they are read.
drop index concurrently if exists community.reaction_by_type;
