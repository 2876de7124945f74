-- What the reported content said before it was edited: [{"text": ..., "until": ...}], oldest first.
alter table moderation.report add column earlier_texts jsonb not null default '[]';
