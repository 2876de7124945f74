-- What a person must deal with, until an administrator closes it or it has dealt with itself. What happened is in the
-- entry of the audit log with the same id.
create table kernel.alert (
  id kernel.object_id primary key,
  -- What it is about: 'dispute:dp_1'. A new alert about the same takes the place of an open one.
  subject text not null check (length(subject) <= 300),
  -- That of the entry, for the index.
  target text not null,
  raised_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  constraint alert_closing check ((closed_at is null) = (closed_by is null))
);
create unique index alert_open on kernel.alert (subject) where closed_at is null;
create index alert_open_listing on kernel.alert (id) where closed_at is null;
create index alert_target on kernel.alert (target, id);
