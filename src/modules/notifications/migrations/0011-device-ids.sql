-- What the app calls the device, under which a new token replaces the former one.
alter table notifications.device add column device_id text;
