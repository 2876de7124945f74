-- Authenticator apps (RFC 6238); the secret is sealed with SECRET_KEY.
create table identity.authenticator (
  user_id kernel.object_id primary key references identity.user on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The last time steps whose codes were used; each is used once.
  used_steps integer[] not null default '{}'
);

-- Codes for members who have lost their authenticator, as keyed digests; a used one is deleted.
create table identity.recovery_code (
  user_id kernel.object_id not null references identity.user on delete cascade,
  digest bytea not null,
  primary key (user_id, digest)
);

-- Public keys of WebAuthn.
create table identity.passkey (
  id kernel.object_id primary key,
  user_id kernel.object_id not null references identity.user on delete cascade,
  -- base64url.
  credential_id text not null,
  public_key bytea not null,
  -- How often the authenticator has signed, if it counts.
  counter bigint not null,
  name text not null,
  transports text[] not null,
  -- Whether other devices of the member have it, too.
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkey_credential unique (credential_id)
);
create index passkey_by_user on identity.passkey (user_id, id);
