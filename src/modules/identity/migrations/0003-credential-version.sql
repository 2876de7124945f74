alter table identity.user
  -- Raised whenever what was verified before must not open a session any more: a sign-in compares it under the row's lock.
  add column credential_version bigint not null default 0,
  -- Raised with each new password: a reset code is good for the password that it was made for.
  add column password_version bigint not null default 0;

-- Whose code it is; null when nobody had the e-mail at the time of the request.
alter table identity.password_reset
  add column user_id kernel.object_id,
  add column password_version bigint;
update identity.password_reset set user_id = "user".id, password_version = 0
  from identity.user where "user".email = password_reset.email;

-- What nobody can have: neither an e-mail nor a username has a colon.
update identity.user set email = 'deleted:' || id, username = 'deleted:' || id where deleted_at is not null;
