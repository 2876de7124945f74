-- What members are told: in the app, and by other channels.

create schema notifications;

create table notifications.notification (
  id kernel.object_id primary key,
  user_id kernel.object_id not null,
  type text not null,
  title text not null,
  message text not null,
  priority text not null check (priority in ('critical', 'high', 'medium', 'low')),
  channels text[] not null,
  metadata jsonb not null default '{}',
  -- Of what it tells: the same thing is told to a member once.
  subject text,
  read_at timestamptz,
  created_at timestamptz not null
);
create index notification_listing on notifications.notification (user_id, id desc);
create index notification_by_type on notifications.notification (user_id, type, id desc);
create index notification_unread on notifications.notification (user_id, id desc) where read_at is null;
create unique index notification_subject on notifications.notification (user_id, subject) where subject is not null;

-- How many each member has, kept by the triggers below: counting a million at each look would take too long.
create table notifications.tally (
  user_id kernel.object_id primary key,
  total bigint not null check (total >= 0),
  unread bigint not null check (unread >= 0)
) with (fillfactor = 50);

create function notifications.count_added() returns trigger language plpgsql as $$
begin
  -- In the order of ids: two statements that count for the same members do not deadlock.
  insert into notifications.tally as kept
    select user_id, count(*), count(*) filter (where read_at is null) from added group by user_id order by user_id
  on conflict (user_id) do update set total = kept.total + excluded.total, unread = kept.unread + excluded.unread;
  return null;
end $$;
create trigger notifications_added after insert on notifications.notification
  referencing new table as added for each statement execute function notifications.count_added();

create function notifications.count_changed() returns trigger language plpgsql as $$
begin
  update notifications.tally set unread = tally.unread + change.unread
  from (
    select user_id, count(*) filter (where after.read_at is null) - count(*) filter (where before.read_at is null) as unread
    from added after join removed before using (id, user_id) group by user_id order by user_id
  ) change
  where tally.user_id = change.user_id and change.unread <> 0;
  return null;
end $$;
create trigger notifications_changed after update on notifications.notification
  referencing new table as added old table as removed
  for each statement execute function notifications.count_changed();

create function notifications.count_removed() returns trigger language plpgsql as $$
begin
  update notifications.tally set total = tally.total - gone.total, unread = tally.unread - gone.unread
  from (
    select user_id, count(*) as total, count(*) filter (where read_at is null) as unread
    from removed group by user_id order by user_id
  ) gone
  where tally.user_id = gone.user_id;
  return null;
end $$;
create trigger notifications_removed after delete on notifications.notification
  referencing old table as removed for each statement execute function notifications.count_removed();

-- What becomes of a notification on each channel besides the app itself.
create table notifications.delivery (
  notification_id kernel.object_id not null,
  channel text not null check (channel in ('email', 'push', 'sms')),
  user_id kernel.object_id not null,
  -- 'batched' waits for the hour's digest; 'muted' by the member; 'unavailable': the channel is not there yet, or has no
  -- address of the member.
  status text not null check (status in ('pending', 'batched', 'sent', 'failed', 'muted', 'unavailable')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (notification_id, channel)
);
create index delivery_batched on notifications.delivery (channel, user_id) where status = 'batched';
create index delivery_of_user on notifications.delivery (user_id, notification_id desc);
create index delivery_listing on notifications.delivery (status, notification_id desc, channel) where status in ('failed', 'pending');

-- What a member wants to have where; without a row everything everywhere.
create table notifications.preference (
  user_id kernel.object_id primary key,
  preferences jsonb not null,
  updated_at timestamptz not null
);

create table notifications.bulk (
  id kernel.object_id primary key,
  requested integer not null,
  -- Of those requested, how many have been gone through, and how many of them are nobody.
  done integer not null default 0,
  unknown integer not null default 0,
  created_by kernel.object_id not null,
  created_at timestamptz not null,
  finished_at timestamptz
);

create table notifications.device (
  id kernel.object_id primary key,
  user_id kernel.object_id not null,
  -- What the push service knows it by.
  token text collate "C" not null unique,
  platform text not null check (platform in ('ios', 'android', 'web')),
  name text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index device_of_user on notifications.device (user_id, id);

create table notifications.topic_subscription (
  topic text collate "C" not null,
  user_id kernel.object_id not null,
  created_at timestamptz not null,
  primary key (topic, user_id)
);
create index topics_of_user on notifications.topic_subscription (user_id);
