-- Up to which event a member was told that messages wait in a room, and when; and whether they want to be told.
alter table chat.member add column told_seq bigint;
alter table chat.member add column told_at timestamptz;
alter table chat.member add column is_quiet boolean not null default false;
