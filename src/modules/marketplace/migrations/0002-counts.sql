-- How many requests a product has in which status: the sum over its slots, which keep writers out of each other's way.
create table marketplace.tally (
  product_id text not null,
  status text not null,
  slot integer not null,
  count bigint not null,
  primary key (product_id, status, slot)
);
-- Nothing is written between counting what exists and counting what changes.
lock table marketplace.access_request in share row exclusive mode;
insert into marketplace.tally (product_id, status, slot, count)
  select product_id, status, 0, count(*) from marketplace.access_request group by 1, 2;

create function marketplace.count_requests() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into marketplace.tally (product_id, status, slot, count)
      select product_id, status, pg_backend_pid() % 16, count(*) from new_rows group by 1, 2 order by 1, 2
      on conflict (product_id, status, slot) do update set count = tally.count + excluded.count;
  elsif tg_op = 'DELETE' then
    insert into marketplace.tally (product_id, status, slot, count)
      select product_id, status, pg_backend_pid() % 16, -count(*) from old_rows group by 1, 2 order by 1, 2
      on conflict (product_id, status, slot) do update set count = tally.count + excluded.count;
  else
    insert into marketplace.tally (product_id, status, slot, count)
      select product_id, status, pg_backend_pid() % 16, sum(change)
      from (
        select product_id, status, 1 as change from new_rows
        union all
        select product_id, status, -1 from old_rows
      ) as changes
      group by 1, 2 having sum(change) <> 0 order by 1, 2
      on conflict (product_id, status, slot) do update set count = tally.count + excluded.count;
  end if;
  return null;
end $$;
create trigger request_inserted after insert on marketplace.access_request
  referencing new table as new_rows for each statement execute function marketplace.count_requests();
create trigger request_updated after update on marketplace.access_request
  referencing old table as old_rows new table as new_rows
  for each statement execute function marketplace.count_requests();
create trigger request_deleted after delete on marketplace.access_request
  referencing old table as old_rows for each statement execute function marketplace.count_requests();
