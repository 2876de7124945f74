alter table identity.user
  -- Of educators: title, bio, specialty and the like, as administrators set them.
  add column educator jsonb not null default '{}',
  -- Deleted accounts keep their id, which others refer to, and nothing else.
  add column deleted_at timestamptz,
  -- What a search looks through.
  add column searchable text generated always as
    (lower(email || ' ' || first_name || ' ' || last_name || ' ' || username)) stored;

create extension if not exists pg_trgm with schema public;
create index user_search on identity.user using gin (searchable public.gin_trgm_ops);
create index user_by_permission on identity.user using gin (permissions);
create index user_listing on identity.user (id desc) where deleted_at is null;

-- How many users hold each permission, kept by the trigger below: distribution and counts read a few rows.
create table identity.permission_count (
  permission text primary key,
  users bigint not null
);

create function identity.count_permissions() returns trigger language plpgsql as $$
begin
  -- Rows in one order, so that two changes at once do not wait for each other in a circle.
  insert into identity.permission_count (permission, users)
  select permission, sum(change) from (
    select unnest(new.permissions) as permission, 1 as change where tg_op <> 'DELETE'
    union all
    select unnest(old.permissions), -1 where tg_op <> 'INSERT'
  ) changes
  group by permission having sum(change) <> 0
  order by permission
  on conflict (permission) do update set users = permission_count.users + excluded.users;
  return null;
end $$;
create trigger user_permissions_counted after insert or delete on identity.user
  for each row execute function identity.count_permissions();
create trigger user_permissions_recounted after update of permissions on identity.user
  for each row when (old.permissions is distinct from new.permissions)
  execute function identity.count_permissions();
insert into identity.permission_count (permission, users)
  select unnest(permissions), count(*) from identity.user group by 1;

-- Of the local customer directory: what a user has bought.
create table identity.purchase (
  id kernel.object_id primary key,
  user_id kernel.object_id not null references identity.user on delete cascade,
  sku text not null,
  product_name text not null,
  last_purchased_date timestamptz not null,
  created_at timestamptz not null
);
create index purchase_by_user on identity.purchase (user_id, id desc);

-- Password resets, by e-mail whether anybody has it or not: both are treated alike.
create table identity.password_reset (
  email text primary key,
  requested_at timestamptz not null,
  day date not null,
  requests_on_day integer not null,
  -- Null when spent, burnt by wrong tries, or nobody's.
  code_digest bytea,
  expires_at timestamptz not null,
  wrong_tries integer not null default 0
);
create index password_reset_by_age on identity.password_reset (requested_at);

-- One-time secrets that an administrator issues for a user; see validate-password.
create table identity.funding_key (
  digest bytea primary key,
  user_id kernel.object_id not null references identity.user on delete cascade,
  issued_by kernel.object_id not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index funding_key_by_user on identity.funding_key (user_id);
create index funding_key_by_expiry on identity.funding_key (expires_at);

-- Single-use tokens that have been used, until they would have expired anyway.
create table identity.spent_token (
  jti text primary key,
  expires_at timestamptz not null
);
create index spent_token_by_expiry on identity.spent_token (expires_at);

-- For the nightly forgetting.
create index refresh_token_by_expiry on identity.refresh_token (expires_at);
create index session_ended on identity.session (ended_at) where ended_at is not null;
