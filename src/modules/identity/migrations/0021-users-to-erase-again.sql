-- concurrently
create index concurrently if not exists user_to_erase_again on identity.user (erased_by, id) where deleted_at is not null;
