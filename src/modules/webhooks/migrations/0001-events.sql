-- What happened, as other systems learn of it.

create schema webhooks;

create table webhooks.event (
  -- Given one after the other in the order of commits, so that a reader who has seen one has seen all before it.
  position bigint generated always as identity primary key,
  -- Without its prefix.
  id kernel.object_id not null,
  -- Null while no program that runs can read the event, which is then in `unread`; nothing after it is given out.
  type text collate "C",
  happened_at timestamptz not null,
  -- As text, so that every delivery has the same bytes.
  data json,
  unread json,
  check ((type is null) = (data is null) and (type is null) = (unread is not null))
);
create index event_by_type on webhooks.event (type, position);
create index event_by_time on webhooks.event (happened_at);
create index event_unread on webhooks.event (position) where type is null;
