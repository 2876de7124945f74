-- concurrently
alter table notifications.delivery validate constraint delivery_status_known;
alter table notifications.delivery validate constraint delivery_kind_known;
create index concurrently if not exists delivery_transactional on notifications.delivery (notification_id desc) where kind = 'transactional';
