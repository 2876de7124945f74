create schema gateway;

create table gateway.api_key (
  id kernel.object_id primary key,
  name text not null check (length(name) between 1 and 100),
  tier text not null check (tier in ('mobile', 'live_platform', 'crm', 'third_party', 'admin')),
  environment text not null check (environment in ('development', 'production')),
  -- SHA-256 of the whole key: it has 256 random bits, so no slow hash is needed.
  digest bytea not null unique,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- Failures that were answered, for GET /v1/errors/{errorId}; kept 30 days.
create table gateway.error_report (
  error_id uuid primary key,
  created_at timestamptz not null,
  report jsonb not null
);
create index error_report_by_time on gateway.error_report (created_at);
