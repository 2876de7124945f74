-- Who is parted from whom by a block of which the rooms have not been told yet; both directions. Unlogged as presence itself:
-- after a crash nobody is present.
create unlogged table presence.block_to_tell (
  user_id kernel.object_id not null,
  other_id kernel.object_id not null,
  primary key (user_id, other_id)
);
