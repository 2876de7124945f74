-- What makes the ledger provable and its questions quick: each entry says of which type it is, how many Keys had come
-- into the account by then, and carries on a chain of hashes.

-- The hash covers a transaction as it was written; jsonb would write its metadata anew.
drop trigger transaction_stands on wallet.transaction;
alter table wallet.transaction
  alter column metadata drop default,
  alter column metadata type json using metadata::text::json,
  alter column metadata set default '{}';
create trigger transaction_stands before update on wallet.transaction for each row
  when ((old.id, old.type, old.from_user_id, old.to_user_id, old.amount, old.description, old.metadata::text, old.created_at)
    is distinct from (new.id, new.type, new.from_user_id, new.to_user_id, new.amount, new.description, new.metadata::text, new.created_at))
  execute function wallet.refuse_direct_change();
-- A status moves once: from pending to how it ended.
create trigger transaction_ends_once before update on wallet.transaction for each row
  when ((old.status, old.processed_at) is distinct from (new.status, new.processed_at)
    and (old.status <> 'pending' or new.status = 'pending' or new.processed_at is null))
  execute function wallet.refuse_direct_change();

-- SHA-256 of what never changes of a transaction, in hexadecimal; `ledger-hashes.ts` computes the same.
create function wallet.transaction_digest(wallet.transaction) returns text language sql stable as $$
  select encode(sha256(convert_to(concat_ws(E'\n', $1.id, $1.type, coalesce($1.from_user_id, ''), coalesce($1.to_user_id, ''),
    $1.amount, (extract(epoch from $1.created_at) * 1000)::bigint, $1.metadata::text, $1.description), 'UTF8')), 'hex')
$$;

alter table wallet.account
  -- All Keys that ever came in.
  add column received bigint not null default 0,
  -- The hash of its newest entry.
  add column hash bytea not null default '';
alter table wallet.entry
  -- Of its transaction.
  add column type text collate "C",
  -- All Keys that had ever come into the account, this entry included.
  add column received bigint,
  add column hash bytea;

-- Of an entry and, through the hash of the one before it on the account, of all before it.
create function wallet.entry_hash(previous bytea, wallet.entry, digest text) returns bytea language sql stable as $$
  select sha256(convert_to(concat_ws(E'\n', encode(previous, 'hex'), digest, $2.account_id, $2.seq, $2.amount,
    $2.balance_before, $2.balance_after, $2.received, (extract(epoch from $2.created_at) * 1000)::bigint), 'UTF8'))
$$;

alter table wallet.entry disable trigger entry_is_append_only;
alter table wallet.account disable trigger account_moves_by_entries;
do $$
declare
  link record;
  account text := '';
  running bigint;
  previous bytea;
begin
  for link in
    select entry.account_id, entry.seq, entry.amount, transaction.type, wallet.transaction_digest(transaction) as digest
    from wallet.entry join wallet.transaction on transaction.id = entry.transaction_id
    order by account_id, seq
  loop
    if link.account_id <> account then
      account := link.account_id;
      running := 0;
      previous := '';
    end if;
    running := running + greatest(link.amount, 0);
    update wallet.entry set type = link.type, received = running where account_id = account and seq = link.seq;
    update wallet.entry set hash = wallet.entry_hash(previous, entry, link.digest)
      where account_id = account and seq = link.seq returning hash into previous;
    update wallet.account set received = running, hash = previous where id = account;
  end loop;
end $$;
alter table wallet.entry enable trigger entry_is_append_only;
alter table wallet.account enable trigger account_moves_by_entries;
alter table wallet.entry
  alter column type set not null,
  alter column received set not null,
  alter column hash set not null,
  add constraint entry_hash_is_sha256 check (octet_length(hash) = 32);

-- Most entries are transfers; what is not is found here, and transfers by leaving these out.
create index entry_not_transfer on wallet.entry (account_id, type, seq) include (amount) where type <> 'transfer';
create index transaction_withdrawals on wallet.transaction (id desc) where type = 'withdrawal';
create index transaction_withdrawals_by_status on wallet.transaction (status, id desc) where type = 'withdrawal';
create index account_locked on wallet.account (created_at desc, id desc) where kind = 'wallet' and locked;
create index account_inactive on wallet.account (created_at desc, id desc) where kind = 'wallet' and not is_active;
create index exchange_rate_history on wallet.exchange_rate (currency, effective_from desc, id desc);

-- The number of the newest of an account's entries that was there at an instant, 0 for none. Numbers have no gaps and
-- times never go back, so that halving finds it: twenty looks among a million, without an index over times.
create function wallet.seq_at(account text, newest bigint, instant timestamptz) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := newest;
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select created_at from wallet.entry where account_id = account and seq = middle) <= instant then
      low := middle;
    else
      high := middle - 1;
    end if;
  end loop;
  return low;
end $$;

-- That each entry has its transaction is asked once for the whole batch, below; a foreign key asks for each entry, which
-- took as long as everything else. Transactions are never deleted, so that what was there stays.
alter table wallet.entry drop constraint entry_transaction_id_fkey;

create or replace function wallet.apply_entries() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  is_sound boolean;
begin
  with link as (
    select account_id, seq, amount, balance_before, balance_after, received, hash, created_at,
      first_value(seq) over chain as first_seq,
      first_value(balance_before) over chain as first_balance,
      first_value(received - greatest(amount, 0)) over chain as first_received,
      first_value(created_at) over chain as first_at,
      lag(seq) over chain as previous_seq,
      lag(balance_after) over chain as previous_balance,
      lag(received) over chain as previous_received,
      lag(created_at) over chain as previous_at,
      lead(seq) over chain is null as is_newest
    from added window chain as (partition by account_id order by seq)
  ),
  applied as (
    update wallet.account
    set balance = link.balance_after, last_seq = link.seq, received = link.received, hash = link.hash,
      updated_at = link.created_at
    from link
    where link.is_newest and account.id = link.account_id
      and account.last_seq = link.first_seq - 1
      and account.balance = link.first_balance
      and account.received = link.first_received
      and account.updated_at <= link.first_at
    returning 1
  )
  select (select count(*) from applied) = (select count(*) from link where is_newest)
    and not exists (
      select from link
      where seq <> previous_seq + 1 or balance_before <> previous_balance
        or received <> previous_received + greatest(amount, 0) or created_at < previous_at
    )
    and not exists (select from added group by transaction_id having sum(amount) <> 0)
    and not exists (
      select from added where not exists (select from wallet.transaction where id = added.transaction_id)
    )
  into is_sound;
  if not is_sound then
    raise exception 'entries do not balance, or do not continue the chain of their account'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

drop trigger account_moves_by_entries on wallet.account;
create trigger account_moves_by_entries before update on wallet.account for each row
  when (pg_trigger_depth() = 0 and (old.balance, old.last_seq, old.received, old.hash)
    is distinct from (new.balance, new.last_seq, new.received, new.hash))
  execute function wallet.refuse_direct_change();

-- What each verification of the whole ledger found.
create table wallet.verification (
  id kernel.object_id primary key,
  entries bigint not null,
  transactions bigint not null,
  in_circulation kernel.keys not null,
  -- Of the newest hashes of all accounts: what an operator may keep elsewhere to compare.
  head text not null,
  faults jsonb not null,
  verified_at timestamptz not null
);
create trigger verification_is_append_only before update or delete or truncate on wallet.verification
  for each statement execute function kernel.refuse_change();

-- Wallets as they are shown: those of kind 'wallet', which whoever asks says by name or by kind.
create view wallet.wallet as
  select account.id as "_id", user_id as "userId", balance, round(balance * usd.rate, 2) as "balanceUSD",
    'Keys' as currency, is_active as "isActive", locked, locked_reason as "lockedReason",
    created_at as "createdAt", updated_at as "updatedAt", name, kind
  from wallet.account
  cross join (select rate from wallet.exchange_rate where currency = 'USD' and effective_to is null) usd;

-- Keys that were bought: once for each checkout of the merchant's.
create table wallet.purchase (
  checkout_id kernel.object_id primary key,
  transaction_id text collate "C" not null unique references wallet.transaction,
  keys kernel.keys not null check (keys > 0),
  -- Taken back since, because money was paid back.
  returned kernel.keys not null default 0 check (returned between 0 and keys)
);
