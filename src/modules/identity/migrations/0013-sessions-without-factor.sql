alter table identity.session
  -- Whether it was opened without the passkey that its member had, and has not shown it since.
  add column lacks_factor boolean not null default false;
