-- E-mails that are no notification, such as reset codes, are deliveries as well; and a delivery says what the server of its
-- channel answered.
alter table notifications.delivery
  add column kind text not null default 'notification',
  -- Of a transactional e-mail. Former programs join this table with notifications, whose columns are called type and title.
  add column mail_type text,
  add column mail_title text,
  -- The address that it went to, masked.
  add column recipient text,
  add column message_id text,
  add column last_response text;
alter table notifications.delivery
  drop constraint delivery_status_check,
  add constraint delivery_status_known
    check (status in ('pending', 'batched', 'sent', 'failed', 'muted', 'unavailable', 'read', 'suppressed')) not valid,
  add constraint delivery_kind_known check (kind in ('notification', 'transactional')) not valid;
