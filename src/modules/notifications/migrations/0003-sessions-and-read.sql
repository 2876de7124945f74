-- The session that registered the device: it has pushes for as long as that lives. Devices of before, without one,
-- have none until they register again, as apps do whenever they start.
alter table notifications.device add column session_id kernel.object_id;

-- 'read': the member had read it in the app before the digest went out.
alter table notifications.delivery drop constraint delivery_status_check;
alter table notifications.delivery add constraint delivery_status_check
  check (status in ('pending', 'batched', 'sent', 'failed', 'muted', 'unavailable', 'read'));
