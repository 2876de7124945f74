-- When the author or a moderator last changed the text; null until then.
alter table educators.comment add column edited_at timestamptz;
