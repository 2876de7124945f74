-- The months of events are those of the kernel's divided tables, whose names these have always had.
insert into kernel.monthly (name, key_column) values ('analytics.event', 'occurred_at');

-- For the former program's nightly job, while it runs beside this one.
create or replace function analytics.add_month(month date) returns void language sql as $$
  select kernel.add_month('analytics.event', month)
$$;
