-- The digest of what still stands after a removal, such as the neutral title of a livestream: it is decided, and cannot be
-- reported again until it says something else.
alter table moderation.report add column left_digest bytea;
