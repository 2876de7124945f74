-- When an administrator last changed an endpoint; null if it is as it was registered, or was last changed before this was recorded.
alter table webhooks.endpoint add column updated_at timestamptz;
