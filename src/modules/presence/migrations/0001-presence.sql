-- Who is in which chatroom just now. Unlogged: after a crash of the database the processes tell it anew.

create schema presence;

-- The processes that hold connections; one that has not been heard of for a while is gone, and so are those it held.
create unlogged table presence.process (
  id kernel.object_id primary key,
  seen_at timestamptz not null
);

create unlogged table presence.present (
  room_id kernel.object_id not null,
  user_id kernel.object_id not null,
  process_id kernel.object_id not null,
  primary key (room_id, user_id, process_id)
) with (fillfactor = 80);
create index present_of_process on presence.present (process_id);
