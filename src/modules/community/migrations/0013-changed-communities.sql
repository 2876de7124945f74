-- When the texts of a community were last changed; null if they are as they were at first.
alter table community.community add column updated_at timestamptz;
