-- Whether members have shown that their e-mail address is theirs.
alter table identity.user add column email_verified boolean not null default false;

-- The newest code and link of each member, as digests.
create table identity.email_verification (
  user_id kernel.object_id primary key references identity.user on delete cascade,
  -- The address that was mailed; one that has changed since is not verified by them.
  email text not null,
  -- Null once five wrong codes were tried.
  code_digest bytea,
  wrong_tries smallint not null default 0,
  token_digest bytea not null,
  expires_at timestamptz not null,
  -- When mails were asked for within the last hour, oldest first.
  requested_at timestamptz[] not null default '{}',
  constraint email_verification_token unique (token_digest)
);
create index email_verification_by_expiry on identity.email_verification (expires_at);
