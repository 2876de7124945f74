-- Months of events that were written to the object storage.
create table analytics.archive (
  -- Its first day, by UTC.
  month date primary key,
  -- The key of the file.
  key text not null,
  events bigint not null,
  written_at timestamptz not null
);
