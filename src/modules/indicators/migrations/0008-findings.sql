-- What the nightly comparison has told operators of, so that it tells them only what is new. A digest is enough to know a
-- name again, and is no name that an erasure would have to find.
create table indicators.finding (
  indicator_id text not null references indicators.indicator,
  kind text not null check (kind in ('unexpected', 'stranger')),
  handle_digest bytea not null,
  primary key (kind, indicator_id, handle_digest)
);
