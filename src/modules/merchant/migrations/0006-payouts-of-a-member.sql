-- concurrently
-- Payouts of a member, for the export of their data.
create index concurrently if not exists payout_by_user on merchant.payout (user_id, id);
