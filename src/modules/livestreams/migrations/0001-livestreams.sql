-- Livestreams that members host, and a mirror of the schedule that somebody else owns.

create schema livestreams;

create table livestreams.livestream (
  id kernel.object_id primary key,
  title text not null,
  description text not null default '',
  host_id kernel.object_id not null,
  status text not null check (status in ('scheduled', 'live', 'ended', 'cancelled')),
  scheduled_start timestamptz not null,
  scheduled_end timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (scheduled_start < scheduled_end)
);
create index livestream_by_host on livestreams.livestream (host_id, id desc);
create index livestream_by_status on livestreams.livestream (status, id desc);
create index livestream_window on livestreams.livestream (scheduled_end, scheduled_start)
  where status in ('scheduled', 'live');

create table livestreams.scheduled_session (
  -- Its owner's name of it.
  id text collate "C" primary key,
  title text not null,
  description text not null,
  educator_id kernel.object_id not null,
  educator_name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  synced_at timestamptz not null
);
create index session_by_time on livestreams.scheduled_session (starts_at, id);
create index session_by_educator on livestreams.scheduled_session (educator_id, starts_at, id);
