-- What types an endpoint had before they were changed, for events that happened earlier and are numbered later.
create table webhooks.former_types (
  endpoint integer not null references webhooks.endpoint (number) on delete cascade,
  until timestamptz not null,
  types text[] not null,
  primary key (endpoint, until)
);
