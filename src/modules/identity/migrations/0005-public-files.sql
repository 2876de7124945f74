-- New users have no pictures.
create trigger user_files after delete or update of educator on identity.user
  for each row execute function kernel.track_public_files('educator');

select kernel.adopt_public_files('identity.user', id, educator::text) from identity.user where educator <> '{}';
