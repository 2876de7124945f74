-- concurrently
-- What administrators find users by: the beginnings of their names and addresses.
create index concurrently if not exists user_by_email_beginning on identity.user (email text_pattern_ops)
  where deleted_at is null;
create index concurrently if not exists user_by_username_beginning on identity.user (username text_pattern_ops)
  where deleted_at is null;
create index concurrently if not exists user_by_name_beginning
  on identity.user (lower(first_name || ' ' || last_name) text_pattern_ops) where deleted_at is null;
create index concurrently if not exists user_by_last_name_beginning
  on identity.user (lower(last_name) text_pattern_ops) where deleted_at is null;
