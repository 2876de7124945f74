-- When members left by themselves, so that nobody puts them back at once.
alter table chat.member add column left_at timestamptz;
