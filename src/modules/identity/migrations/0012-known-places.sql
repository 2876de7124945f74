-- The device names and address ranges that each member has signed in from.
create table identity.known_place (
  user_id kernel.object_id not null references identity.user on delete cascade,
  -- device or range
  kind text not null,
  name text not null,
  -- To the day.
  seen_at timestamptz not null,
  primary key (user_id, kind, name)
);
