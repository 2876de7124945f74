-- What was answered to a request that carried an Idempotency-Key, kept for a day; written in the transaction of its
-- effect, so that there is an answer if and only if there was an effect.
create table kernel.idempotency_key (
  -- Whose key it is: two callers may choose the same one.
  scope text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of the operation and what was asked of it.
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_key_by_age on kernel.idempotency_key (created_at);
