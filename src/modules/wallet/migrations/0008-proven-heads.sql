-- How far the ledger has been proven, so that a verification need not begin at the first entry.

-- The newest entry of each account that a verification has found sound, and the account as it was then.
create table wallet.proven_head (
  account_id text collate "C" primary key,
  seq bigint not null,
  balance bigint not null,
  received bigint not null,
  hash bytea not null
);

-- Heads that a verification has read and will prove all at once: were only some of them proven, the entries of one
-- transaction would be on both sides.
create table wallet.read_head (
  -- Of the verification.
  verification_id text collate "C" not null,
  account_id text collate "C" not null,
  seq bigint not null,
  balance bigint not null,
  received bigint not null,
  hash bytea not null,
  primary key (verification_id, account_id)
);

-- Whether it read the whole ledger, or what was beyond the proven heads.
alter table wallet.verification add column is_whole boolean not null default true;
