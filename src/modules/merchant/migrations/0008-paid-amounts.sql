-- What the provider has paid, where it is not what was ordered.
alter table merchant.payout add column paid_cents bigint, add column paid_currency text;
