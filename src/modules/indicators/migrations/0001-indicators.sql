create schema indicators;

create table indicators.indicator (
  id text primary key,
  name text not null,
  description text not null,
  pine_id text,
  charting_url text,
  is_active boolean not null,
  sort_order integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index indicator_listing on indicators.indicator (sort_order, id) where deleted_at is null;
-- Two indicators of one script would take each other's access away.
create unique index indicator_pine_id_key on indicators.indicator (lower(pine_id)) where deleted_at is null;

-- What of other modules points at an indicator, such as a product.
create table indicators.reference (
  kind text not null,
  id text not null,
  indicator_id text not null references indicators.indicator,
  primary key (kind, id)
);
create index reference_by_indicator on indicators.reference (indicator_id);

-- What is known of a member besides their grants.
create table indicators.holder (
  user_id text primary key,
  -- The handle that the member saved, and that of their latest request.
  saved_handle text,
  request_handle text,
  access_occurred_at timestamptz,
  activity_occurred_at timestamptz,
  erased_at timestamptz
);

-- One row says what should be, what is being done about it, and when to act.
create table indicators.access (
  id text primary key,
  indicator_id text not null references indicators.indicator,
  user_id text not null,
  -- As the platform spells it, once that is known.
  handle text not null,
  is_wanted boolean not null,
  status text not null
    check (status in ('pending_grant', 'active', 'pending_revoke', 'revoked', 'failed')),
  failed_action text check (failed_action in ('grant', 'revoke')),
  source text not null check (source in ('manual', 'automated', 'marketplace')),
  -- The request that created the grant; its withdrawal ends it.
  request_id text,
  -- Rises with every change of what is wanted: what a worker learns about an older one settles nothing.
  version integer not null,
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  error_kind text,
  -- 1 is done before 0.
  priority smallint not null default 0,
  -- When to act next; null while there is nothing to do.
  due_at timestamptz,
  -- Until then a call may be under way, and nobody else makes one for this row.
  leased_until timestamptz,
  grace_ends_at timestamptz,
  ended_by text,
  -- What the member was last notified of.
  told text check (told in ('active', 'revoked')),
  moved_by text not null,
  moved_why text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint access_member_key unique (user_id, indicator_id),
  constraint failed_says_what check ((status = 'failed') = (failed_action is not null)),
  constraint active_is_wanted check (status not in ('active', 'pending_grant') or is_wanted),
  constraint revoked_is_not_wanted check (status <> 'revoked' or not is_wanted)
);
create index access_roster on indicators.access (indicator_id, id desc);
create index access_roster_by_status on indicators.access (indicator_id, status, id desc);
create index access_worklist on indicators.access (id desc) where status = 'failed';
create index access_due on indicators.access (priority, due_at) where due_at is not null;
create index access_by_handle on indicators.access (indicator_id, lower(handle)) where is_wanted;
create index access_of_request on indicators.access (request_id) where request_id is not null;

-- What may stand at the platform because of a grant: written before the call that puts it there, removed after the one
-- that takes it away.
create table indicators.entry (
  access_id text not null references indicators.access on delete cascade,
  pine_id text not null,
  handle_key text not null,
  handle text not null,
  -- The platform has said that it is there.
  is_confirmed boolean not null,
  primary key (access_id, pine_id, handle_key)
);
create index entry_by_script on indicators.entry (pine_id, handle_key);

-- How the platform spells a handle.
create table indicators.spelling (
  handle_key text primary key,
  handle text not null,
  known_at timestamptz not null
);

-- Every move of a grant; never changed.
create table indicators.move (
  id bigint generated always as identity primary key,
  access_id text not null,
  from_status text,
  to_status text not null,
  version integer not null,
  moved_by text not null,
  why text not null,
  created_at timestamptz not null
);
create index move_of_access on indicators.move (access_id, id desc);

-- How many grants of an indicator have which status: the sum over its slots, which keep writers out of each other's way.
create table indicators.tally (
  indicator_id text not null,
  status text not null,
  slot integer not null,
  count bigint not null,
  primary key (indicator_id, status, slot)
);

-- The account at the charting platform: one row, which paces the calls of all processes.
create table indicators.account (
  id integer primary key check (id = 1),
  next_call_at timestamptz not null default 'epoch',
  faults integer not null default 0,
  paused_until timestamptz,
  pause_reason text,
  paused_since timestamptz,
  last_success_at timestamptz
);
insert into indicators.account (id) values (1);

-- Webhooks that named themselves, and what was answered.
create table indicators.webhook_event (
  kind text not null,
  event_id text not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (kind, event_id)
);
create index webhook_event_by_age on indicators.webhook_event (created_at);

create function indicators.check_move() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not (old.status, new.status) in (
    ('pending_grant', 'active'), ('pending_grant', 'failed'), ('pending_grant', 'pending_revoke'), ('pending_grant', 'revoked'),
    ('active', 'pending_grant'), ('active', 'pending_revoke'), ('active', 'failed'),
    ('pending_revoke', 'revoked'), ('pending_revoke', 'failed'), ('pending_revoke', 'active'), ('pending_revoke', 'pending_grant'),
    ('revoked', 'pending_grant'), ('revoked', 'failed'), ('revoked', 'pending_revoke'),
    ('failed', 'pending_grant'), ('failed', 'pending_revoke'), ('failed', 'revoked'), ('failed', 'active')
  ) then
    raise exception 'a grant does not move from % to %', old.status, new.status;
  end if;
  if new.version < old.version then
    raise exception 'the version of a grant never falls';
  end if;
  return new;
end $$;
create trigger access_moves before update on indicators.access
  for each row execute function indicators.check_move();

create function indicators.count_access() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into indicators.tally
      select indicator_id, status, pg_backend_pid() % 16, count(*) from new_rows group by 1, 2 order by 1, 2
      on conflict (indicator_id, status, slot) do update set count = tally.count + excluded.count;
    insert into indicators.move (access_id, from_status, to_status, version, moved_by, why, created_at)
      select id, null, status, version, moved_by, moved_why, updated_at from new_rows;
  elsif tg_op = 'DELETE' then
    insert into indicators.tally
      select indicator_id, status, pg_backend_pid() % 16, -count(*) from old_rows group by 1, 2 order by 1, 2
      on conflict (indicator_id, status, slot) do update set count = tally.count + excluded.count;
  else
    insert into indicators.tally
      select indicator_id, status, pg_backend_pid() % 16, sum(change)
      from (
        select n.indicator_id, n.status, 1 as change from new_rows n join old_rows o using (id) where n.status <> o.status
        union all
        select o.indicator_id, o.status, -1 from new_rows n join old_rows o using (id) where n.status <> o.status
      ) as changes
      group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (indicator_id, status, slot) do update set count = tally.count + excluded.count;
    insert into indicators.move (access_id, from_status, to_status, version, moved_by, why, created_at)
      select n.id, o.status, n.status, n.version, n.moved_by, n.moved_why, n.updated_at
      from new_rows n join old_rows o using (id)
      where n.status <> o.status or n.version <> o.version or n.source <> o.source
        or n.grace_ends_at is distinct from o.grace_ends_at;
  end if;
  return null;
end $$;
create trigger access_inserted after insert on indicators.access
  referencing new table as new_rows for each statement execute function indicators.count_access();
create trigger access_updated after update on indicators.access
  referencing old table as old_rows new table as new_rows
  for each statement execute function indicators.count_access();
create trigger access_deleted after delete on indicators.access
  referencing old table as old_rows for each statement execute function indicators.count_access();
