-- The ledger: double entry, append-only. Inserting entries is the only way to move a balance: the trigger at the
-- end applies them, and refuses what does not balance or does not continue an account's chain.

create schema wallet;

-- A user's wallet is the account of kind 'wallet'. Where Keys come from and go to are accounts without a user.
create table wallet.account (
  id kernel.object_id primary key,
  kind text not null check (kind in ('wallet', 'hold', 'issued', 'withdrawn')),
  user_id kernel.object_id,
  -- What the program calls it: 'wallet:<userId>', 'issued'.
  name text collate "C" not null unique
    generated always as (case when user_id is null then kind else kind || ':' || user_id end) stored,
  balance kernel.keys not null default 0,
  -- The number of its entries, and the place of the newest.
  last_seq bigint not null default 0,
  is_active boolean not null default true,
  locked boolean not null default false,
  locked_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint account_owner check ((user_id is null) = (kind in ('issued', 'withdrawn'))),
  -- Only the source of Keys goes below zero: by as many as are in circulation.
  constraint account_not_overdrawn check (balance >= 0 or kind = 'issued')
) with (fillfactor = 50);
create index account_listing on wallet.account (created_at desc, id desc) where kind = 'wallet';

create table wallet.transaction (
  id kernel.object_id primary key,
  type text not null check (type in ('fund', 'transfer', 'withdrawal', 'refund')),
  status text not null check (status in ('pending', 'completed', 'failed', 'cancelled')),
  from_user_id kernel.object_id,
  to_user_id kernel.object_id,
  amount kernel.keys not null check (amount > 0),
  description text not null default '',
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  processed_at timestamptz
);

create table wallet.entry (
  -- Plain text: the trigger below finds the account, the reference the transaction, whose ids were checked.
  account_id text collate "C" not null,
  seq bigint not null,
  transaction_id text collate "C" not null references wallet.transaction,
  amount kernel.keys not null check (amount <> 0),
  balance_before kernel.keys not null,
  balance_after kernel.keys not null,
  created_at timestamptz not null,
  primary key (account_id, seq),
  constraint entry_adds_up check (balance_after = balance_before + amount)
);

-- Nothing is known of how many entries a batch has, and the planner guesses many: a hash join would read every
-- account there is for the few of the batch. Nested loops find each by its key.
create function wallet.apply_entries() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  is_sound boolean;
begin
  -- One statement for the whole batch. Each account's new entries must follow on from its newest, without a gap,
  -- each from where the last one ended; the entries of each transaction must sum to zero.
  with link as (
    select account_id, seq, balance_before, balance_after, created_at,
      first_value(seq) over chain as first_seq,
      first_value(balance_before) over chain as first_balance,
      first_value(created_at) over chain as first_at,
      lag(seq) over chain as previous_seq,
      lag(balance_after) over chain as previous_balance,
      lag(created_at) over chain as previous_at,
      lead(seq) over chain is null as is_newest
    from added window chain as (partition by account_id order by seq)
  ),
  applied as (
    update wallet.account
    set balance = link.balance_after, last_seq = link.seq, updated_at = link.created_at
    from link
    where link.is_newest and account.id = link.account_id
      and account.last_seq = link.first_seq - 1
      and account.balance = link.first_balance
      and account.updated_at <= link.first_at
    returning 1
  )
  select (select count(*) from applied) = (select count(*) from link where is_newest)
    and not exists (
      select from link
      where seq <> previous_seq + 1 or balance_before <> previous_balance or created_at < previous_at
    )
    and not exists (select from added group by transaction_id having sum(amount) <> 0)
  into is_sound;
  if not is_sound then
    raise exception 'entries do not balance, or do not continue the chain of their account'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create trigger entries_apply after insert on wallet.entry
  referencing new table as added
  for each statement execute function wallet.apply_entries();

create trigger entry_is_append_only before update or delete or truncate on wallet.entry
  for each statement execute function kernel.refuse_change();

create function wallet.refuse_direct_change() returns trigger language plpgsql as $$
begin
  raise exception '% of %.% is refused: only entries move balances, and history stands', tg_op, tg_table_schema, tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- At depth 0 it is not the entries' own trigger that moves the balance.
create trigger account_moves_by_entries before update on wallet.account for each row
  when (pg_trigger_depth() = 0 and (old.balance, old.last_seq) is distinct from (new.balance, new.last_seq))
  execute function wallet.refuse_direct_change();
create trigger account_keeps_its_owner before update on wallet.account for each row
  when ((old.id, old.kind, old.user_id, old.created_at) is distinct from (new.id, new.kind, new.user_id, new.created_at))
  execute function wallet.refuse_direct_change();
create trigger account_begins_empty before insert on wallet.account for each row
  when (new.balance <> 0 or new.last_seq <> 0) execute function wallet.refuse_direct_change();
create trigger account_stays before delete or truncate on wallet.account
  for each statement execute function kernel.refuse_change();

-- Of a transaction only the status moves.
create trigger transaction_stands before update on wallet.transaction for each row
  when ((old.id, old.type, old.from_user_id, old.to_user_id, old.amount, old.description, old.metadata, old.created_at)
    is distinct from (new.id, new.type, new.from_user_id, new.to_user_id, new.amount, new.description, new.metadata, new.created_at))
  execute function wallet.refuse_direct_change();
create trigger transaction_stays before delete or truncate on wallet.transaction
  for each statement execute function kernel.refuse_change();

insert into wallet.account (id, kind, created_at, updated_at) values
  ('000000000000000000000001', 'issued', 'epoch', 'epoch'),
  ('000000000000000000000002', 'withdrawn', 'epoch', 'epoch');

-- The value of one Key; the living row of a currency has no end.
create table wallet.exchange_rate (
  id kernel.object_id primary key,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  rate numeric(20, 10) not null check (rate > 0),
  effective_from timestamptz not null,
  effective_to timestamptz check (effective_to >= effective_from),
  updated_by_email text,
  notes text not null default ''
);
create unique index exchange_rate_current on wallet.exchange_rate (currency) where effective_to is null;
insert into wallet.exchange_rate (id, currency, rate, effective_from) values ('000000000000000000000001', 'USD', 1, 'epoch');
