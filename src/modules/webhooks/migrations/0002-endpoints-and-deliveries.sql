-- Where events are sent, and every delivery.

create table webhooks.endpoint (
  id kernel.object_id primary key,
  -- What deliveries and their ids name it by.
  number integer generated always as identity unique,
  url text not null,
  types text[] not null,
  description text,
  enabled boolean not null,
  ordered boolean not null,
  -- Sealed with the secret key of the installation.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  -- Events after this position of the log are its own.
  after_position bigint not null,
  last_sequence bigint not null default 0,
  failing_since timestamptz,
  disabled_reason text,
  last_delivered_at timestamptz,
  -- The process that sends to it, and until when it does so without saying so again.
  held_by text,
  held_until timestamptz,
  created_at timestamptz not null
);

-- Up to which position of the log deliveries were made.
create table webhooks.progress (
  is_only boolean primary key default true check (is_only),
  position bigint not null
);
insert into webhooks.progress (position) values (0);

create table webhooks.delivery (
  endpoint integer not null,
  sequence bigint not null,
  position bigint not null,
  type text collate "C" not null,
  status text collate "C" not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  is_replay boolean not null default false,
  -- When to try again; null if it was not tried yet.
  due_at timestamptz,
  response_status integer,
  response_ms integer,
  last_error text,
  responses jsonb not null default '[]',
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (endpoint, sequence)
);
create index delivery_fresh on webhooks.delivery (endpoint, sequence) where status = 'pending' and due_at is null;
create index delivery_due on webhooks.delivery (endpoint, due_at) where status = 'pending' and due_at is not null;
create index delivery_failed on webhooks.delivery (endpoint, sequence) where status = 'failed';
create index delivery_by_type on webhooks.delivery (endpoint, type, sequence);
create index delivery_by_time on webhooks.delivery (created_at);
