-- When a trade idea was last changed or closed; null if it is as it was at first, or was last changed before this was recorded.
alter table trades.trade add column updated_at timestamptz;
