-- Watch sessions: who watched what, from when to when.

create schema watching;

create table watching.session (
  id kernel.object_id primary key,
  user_id kernel.object_id not null,
  content_type text not null check (content_type in ('livestream', 'meeting', 'lesson', 'video', 'story')),
  content_id kernel.object_id not null,
  educator_id kernel.object_id,
  platform text not null check (platform in ('ios', 'android', 'web')),
  position_seconds integer check (position_seconds >= 0),
  started_at timestamptz not null,
  -- The start, or the last heartbeat. No index has it, so that a heartbeat rewrites one row and nothing else.
  seen_at timestamptz not null,
  ended_at timestamptz,
  -- When to look whether the session has fallen silent.
  check_at timestamptz not null,
  check (seen_at >= started_at),
  check (ended_at >= started_at)
) with (fillfactor = 70);
create index session_by_start on watching.session (started_at);
create index session_of_educator on watching.session (educator_id, started_at);
create index session_open_of_member on watching.session (user_id, id) where ended_at is null;
create index session_to_check on watching.session (check_at) where ended_at is null;
