-- Events on their way: written with the change they tell of, taken from here to the queues of their subscribers.
create table kernel.outbox (
  id bigint generated always as identity primary key,
  event text not null,
  -- Those of one kind that were published together.
  events json not null,
  created_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
