-- Why the payment provider could last not be asked, for administrators.
alter table merchant.checkout add column last_error text;
alter table merchant.payout add column last_error text;
-- What the provider reported last.
alter table merchant.checkout add column provider_status text;
