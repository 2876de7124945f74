-- Counted for each upload that a member asks for.
create index upload_open_of_owner on media.upload (owner_id) where state = 'open';
