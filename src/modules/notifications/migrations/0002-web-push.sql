-- Of a browser, what pushes to it are encrypted with: {p256dh, auth}. Its token is the URL of its subscription.
alter table notifications.device add column keys jsonb;
