-- Decisions about payouts, payouts that come back, disputed payments, and a back-off for each that is looked after.

alter table merchant.payout
  -- Of the request whose decision `ending` and `reason` tell, and what it wants told when the payout ends so. Both stay
  -- with a payout that ended by decision; one that ended otherwise has none.
  add column decision_id text collate "C",
  add column decision jsonb,
  -- Looks in a row that failed.
  add column attempts integer not null default 0;
-- 'returned': paid, and then the bank sent the money back.
alter table merchant.payout
  drop constraint payout_status_check,
  add constraint payout_status_check
    check (status in ('queued', 'submitting', 'submitted', 'paid', 'failed', 'cancelled', 'returned'));

alter table merchant.checkout add column attempts integer not null default 0;

create table merchant.dispute (
  -- The provider's.
  id text collate "C" primary key,
  checkout_id kernel.object_id not null references merchant.checkout,
  cents bigint not null check (cents >= 0),
  -- 'inquiry': a question of the bank, no money was taken. It only ever rises: inquiry, open, lost, won.
  status text not null check (status in ('inquiry', 'open', 'lost', 'won')),
  opened_at timestamptz not null,
  updated_at timestamptz not null
);
create index dispute_by_checkout on merchant.dispute (checkout_id);

-- Payments that the provider tells of and that belong to no checkout here; told to operators once each.
create table merchant.unknown_payment (
  -- The provider's session or payment.
  subject text collate "C" primary key,
  details jsonb not null,
  seen_at timestamptz not null
);
