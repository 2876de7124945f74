-- Most entries are transfers. An entry that is none carries running numbers of its account, so that sums and places are
-- differences of two entries instead of scans. A transfer has none, and costs these columns and indexes nothing.
alter table wallet.entry
  -- Its number among the account's entries that are no transfers.
  add column other_seq bigint,
  -- Its number among the account's entries of its type, and their sum, both including this one.
  add column type_seq bigint,
  add column type_sum numeric;

alter table wallet.entry disable trigger entry_is_append_only;
update wallet.entry
set other_seq = numbered.other_seq, type_seq = numbered.type_seq, type_sum = numbered.type_sum
from (
  select account_id, seq,
    row_number() over (partition by account_id order by seq) as other_seq,
    row_number() over of_type as type_seq,
    sum(amount) over of_type as type_sum
  from wallet.entry where type <> 'transfer'
  window of_type as (partition by account_id, type order by seq)
) numbered
where entry.account_id = numbered.account_id and entry.seq = numbered.seq;
alter table wallet.entry enable trigger entry_is_append_only;

alter table wallet.entry add constraint entry_running_numbers
  check (num_nulls(other_seq, type_seq, type_sum) = case type when 'transfer' then 3 else 0 end);

drop index wallet.entry_not_transfer;
create index entry_others on wallet.entry (account_id, seq) include (other_seq) where type <> 'transfer';
create index entry_of_type on wallet.entry (account_id, type, seq) include (type_seq, type_sum) where type <> 'transfer';
create index entry_by_type_seq on wallet.entry (account_id, type, type_seq) include (seq) where type <> 'transfer';

-- The planner knows nothing of how a new table will grow; each look below is one step down an index, whatever it grows to.

-- Gives an entry its numbers, whatever it came with. They continue those of the account's newest such entry; one that
-- comes before it is refused. The account's row is locked by whoever inserts, or the entries are refused by its chain.
create function wallet.number_entry() returns trigger language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  newest_seq bigint;
  others bigint;
  of_type bigint;
  sum_of_type numeric;
begin
  select seq, other_seq into newest_seq, others from wallet.entry
    where account_id = new.account_id and type <> 'transfer' order by seq desc limit 1;
  select type_seq, type_sum into of_type, sum_of_type from wallet.entry
    where account_id = new.account_id and type <> 'transfer' and type = new.type order by seq desc limit 1;
  if newest_seq >= new.seq then
    raise exception 'entry % of account % does not come after %', new.seq, new.account_id, newest_seq
      using errcode = 'integrity_constraint_violation';
  end if;
  new.other_seq := coalesce(others, 0) + 1;
  new.type_seq := coalesce(of_type, 0) + 1;
  new.type_sum := coalesce(sum_of_type, 0) + new.amount;
  return new;
end $$;
create trigger entry_is_numbered before insert on wallet.entry for each row
  when (new.type <> 'transfer') execute function wallet.number_entry();

-- How many of the account's entries up to this one are no transfers.
create function wallet.others_at(account text, place bigint) returns bigint language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return coalesce((select other_seq from wallet.entry
    where account_id = account and type <> 'transfer' and seq <= place order by seq desc limit 1), 0);
end $$;

-- The number of the entry that is the account's n-th transfer, which must be there: as numbers have no gaps, `seq` less
-- the others up to it counts transfers, and halving finds the first that makes n.
create function wallet.transfer_at(account text, newest bigint, n bigint) returns bigint language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  low bigint := n;
  high bigint := least(newest, n + wallet.others_at(account, newest));
  middle bigint;
begin
  while low < high loop
    middle := (low + high) / 2;
    if middle - coalesce((select other_seq from wallet.entry
      where account_id = account and type <> 'transfer' and seq <= middle order by seq desc limit 1), 0) >= n then
      high := middle;
    else
      low := middle + 1;
    end if;
  end loop;
  return low;
end $$;
