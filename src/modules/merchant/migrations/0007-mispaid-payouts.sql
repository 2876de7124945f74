-- The provider has paid another amount than was ordered: a person decides how the payout ends.
alter table merchant.payout add column mispaid boolean not null default false;
