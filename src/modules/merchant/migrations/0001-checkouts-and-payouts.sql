-- Money that comes in and goes out through the payment provider. What it is for, other modules know.

create schema merchant;

create table merchant.checkout (
  id kernel.object_id primary key,
  -- The provider's.
  session_id text collate "C" not null unique,
  user_id kernel.object_id not null,
  -- Whose order it is, and what that module keeps with it.
  purpose text not null,
  details jsonb not null,
  cents bigint not null check (cents > 0),
  status text not null check (status in ('open', 'paid', 'expired', 'failed')),
  payment_id text collate "C",
  -- All that was ever paid back.
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and cents),
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- When the provider is asked what became of it, should its webhook not come.
  next_check_at timestamptz
);
create index checkout_due on merchant.checkout (next_check_at) where next_check_at is not null;
create index checkout_by_payment on merchant.checkout (payment_id) where payment_id is not null;

create table merchant.payout (
  id kernel.object_id primary key,
  -- Names in the words of whoever asked what is paid out.
  reference text collate "C" not null unique,
  user_id kernel.object_id not null,
  cents bigint not null check (cents > 0),
  -- 'submitting': the provider may or may not know of it; asking it again under the same key tells.
  status text not null check (status in ('queued', 'submitting', 'submitted', 'paid', 'failed', 'cancelled')),
  provider_id text collate "C" unique,
  -- How it ends, should the provider cancel it because we asked it to.
  ending text check (ending in ('paid', 'failed', 'cancelled')),
  reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  next_check_at timestamptz
);
create index payout_due on merchant.payout (next_check_at) where next_check_at is not null;
