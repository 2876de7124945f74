-- A key that was rolled stays valid for a while beside the one that replaces it. Older programs do not know that it expires.
alter table gateway.api_key
  add column expires_at timestamptz,
  add column replaced_by kernel.object_id;

-- How keys were used on each day (UTC); one row a key and day, added to every few seconds by each process.
create table gateway.api_key_use (
  key_id kernel.object_id not null references gateway.api_key,
  day date not null,
  requests bigint not null check (requests >= 0),
  -- Of these, refused because a limit was exceeded.
  rejected bigint not null check (rejected >= 0),
  last_used_at timestamptz not null,
  primary key (key_id, day)
);
