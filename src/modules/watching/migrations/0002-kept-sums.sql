-- What is kept of sessions that can no longer change, so that statistics do not read them all.

-- Until when it is kept: quarters of an hour, and whole days of UTC. Everything from there on is read from the sessions.
create table watching.kept (
  is_only boolean primary key default true check (is_only),
  slots_until timestamptz not null,
  days_until timestamptz not null,
  check (days_until <= slots_until)
);

-- For how long sessions were open, by quarter of an hour.
create table watching.slot (
  slot timestamptz not null,
  content_type text collate "C" not null,
  micros bigint not null,
  primary key (content_type, slot)
);

-- The same of days, with the most sessions that were open at one moment, for every filter of the statistics. An empty text
-- stands for all: all educators, platforms or content types together.
create table watching.daily (
  day date not null,
  educator_id text collate "C" not null,
  platform text collate "C" not null,
  content_type text collate "C" not null,
  peak bigint not null,
  peak_at timestamptz not null,
  micros bigint not null,
  sessions bigint not null,
  -- Those among the sessions that had begun before the day.
  carried bigint not null,
  primary key (platform, content_type, day, educator_id)
);
create index daily_of_educator on watching.daily (educator_id, platform, content_type, day);

-- Few sessions are long, so that all others that overlap an instant have begun within two hours before it.
create index session_long on watching.session (started_at) where ended_at - started_at > interval '2 hours';
create index session_open on watching.session (started_at) where ended_at is null;
-- Who watched an educator: without reading the sessions.
create index session_viewers on watching.session (educator_id, started_at) include (ended_at, user_id)
  where ended_at > started_at;
drop index watching.session_of_educator;
