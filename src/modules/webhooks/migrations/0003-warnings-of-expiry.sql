-- When operators were last told that deliveries to an endpoint wait so long that they are about to be deleted.

alter table webhooks.endpoint add column warned_at timestamptz;
