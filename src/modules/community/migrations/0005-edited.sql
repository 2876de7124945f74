-- When the author or a moderator last changed the text; null until then.
alter table community.post add column edited_at timestamptz;
alter table community.comment add column edited_at timestamptz;
