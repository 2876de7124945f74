-- The process whose metrics tell of the whole installation, until its time is over; one row.
create table kernel.metrics_reporter (
  is_reporter boolean primary key default true check (is_reporter),
  process text not null,
  until timestamptz not null
);
