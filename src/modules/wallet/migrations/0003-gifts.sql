-- Gifts: transfers stamped as such, by whom, to whom and when. Other transfers cost these indexes nothing.

create index gift_sent on wallet.transaction (from_user_id, (metadata ->> 'surface'), id desc)
  where type = 'transfer' and metadata ->> 'gift' = 'true';
create index gift_received on wallet.transaction (to_user_id, (metadata ->> 'surface'), id desc)
  where type = 'transfer' and metadata ->> 'gift' = 'true';
create index gift_by_time on wallet.transaction (created_at) include (from_user_id, to_user_id, amount)
  where type = 'transfer' and metadata ->> 'gift' = 'true';

-- How many gifts a member has sent and received on each surface, kept by the trigger below. Whoever changes a row here
-- holds the account of its member, so that two never wait for each other in a circle.
create table wallet.gift_tally (
  user_id kernel.object_id not null,
  side text not null check (side in ('sent', 'received')),
  surface text not null,
  gifts bigint not null,
  keys kernel.keys not null,
  primary key (user_id, side, surface)
) with (fillfactor = 50);

create function wallet.count_gift() returns trigger language plpgsql as $$
begin
  insert into wallet.gift_tally as kept (user_id, side, surface, gifts, keys) values
    (new.from_user_id, 'sent', coalesce(new.metadata ->> 'surface', ''), 1, new.amount),
    (new.to_user_id, 'received', coalesce(new.metadata ->> 'surface', ''), 1, new.amount)
  on conflict (user_id, side, surface) do update
    set gifts = kept.gifts + 1, keys = least(kept.keys + excluded.keys, 9007199254740991);
  return null;
end $$;
create trigger gift_counted after insert on wallet.transaction for each row
  when (new.type = 'transfer' and new.metadata ->> 'gift' = 'true')
  execute function wallet.count_gift();
insert into wallet.gift_tally (user_id, side, surface, gifts, keys)
  select user_id, side, surface, count(*), least(sum(amount), 9007199254740991) from (
    select from_user_id as user_id, 'sent' as side, coalesce(metadata ->> 'surface', '') as surface, amount
    from wallet.transaction where type = 'transfer' and metadata ->> 'gift' = 'true'
    union all
    select to_user_id, 'received', coalesce(metadata ->> 'surface', ''), amount
    from wallet.transaction where type = 'transfer' and metadata ->> 'gift' = 'true') gifts
  group by user_id, side, surface;
