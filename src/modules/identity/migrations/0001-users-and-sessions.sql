create schema identity;

create table identity.user (
  id kernel.object_id primary key,
  -- Canonical: trimmed, NFC, lower case.
  email text not null unique check (length(email) between 3 and 254),
  username text not null unique,
  first_name text not null,
  last_name text not null,
  customer_id text unique,
  permissions text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Of the local customer directory: argon2id, with its parameters.
create table identity.password (
  user_id kernel.object_id primary key references identity.user on delete cascade,
  hash text not null,
  changed_at timestamptz not null
);

-- One for each user, platform and device; a new sign-in on the same three takes the place of the old.
create table identity.session (
  id kernel.object_id primary key,
  user_id kernel.object_id not null references identity.user on delete cascade,
  platform text not null check (platform in ('app', 'livestream', 'scanners', 'web', 'backoffice')),
  device text not null,
  device_id text,
  user_agent text not null,
  address text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  ended_at timestamptz,
  ended_because text check ((ended_because is null) = (ended_at is null))
);
create unique index session_live on identity.session (user_id, platform, device) where ended_at is null;
create index session_by_user on identity.session (user_id, created_at desc);

-- Opaque, single-use; a spent one shown again ends its session.
create table identity.refresh_token (
  digest bytea primary key,
  session_id kernel.object_id not null references identity.session on delete cascade,
  generation integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  unique (session_id, generation)
);

-- Keys that sign access tokens, sealed with SECRET_KEY; the newest signs, the others still verify.
create table identity.signing_key (
  kid text primary key,
  sealed bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
