-- Chatrooms, who is in them, and what they say.

create schema chat;

create table chat.room (
  id kernel.object_id primary key,
  name text not null,
  description text not null default '',
  -- What its members are asked for.
  rules text[] not null default '{}',
  type text not null check (type in ('public', 'private', 'group')),
  created_by kernel.object_id not null,
  -- An educator's own room: one of each.
  educator_id kernel.object_id,
  slow_mode_seconds integer not null default 0 check (slow_mode_seconds between 0 and 21600),
  member_count bigint not null default 0 check (member_count >= 0),
  message_count bigint not null default 0 check (message_count >= 0),
  -- The number of everything that was said or changed: what a client missed is what has a greater one.
  last_seq bigint not null default 0,
  last_message_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
) with (fillfactor = 50);
create unique index room_of_educator on chat.room (educator_id) where deleted_at is null and educator_id is not null;
create index room_listing on chat.room (id desc) where deleted_at is null;
create index room_by_type on chat.room (type, id desc) where deleted_at is null;

-- A member, or somebody who was one and is banned.
create table chat.member (
  room_id kernel.object_id not null,
  user_id kernel.object_id not null,
  is_member boolean not null,
  joined_at timestamptz,
  muted_until timestamptz,
  banned_at timestamptz,
  -- Kept while the room is slow.
  last_sent_at timestamptz,
  primary key (room_id, user_id),
  check (not (is_member and banned_at is not null))
);
create index member_rooms on chat.member (user_id, room_id) where is_member;

create table chat.message (
  id kernel.object_id primary key,
  room_id kernel.object_id not null,
  user_id kernel.object_id not null,
  message text not null,
  -- Its place among what happened in its room, and that of its last change.
  seq bigint not null,
  changed_seq bigint not null,
  -- What the client calls it: sent twice, it is one.
  client_id text,
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  deleted_by kernel.object_id
);
create unique index message_changes on chat.message (room_id, changed_seq);
create unique index message_listing on chat.message (room_id, seq desc) where deleted_at is null;
create unique index message_client_id on chat.message (user_id, room_id, client_id) where client_id is not null;

create table chat.report (
  id kernel.object_id primary key,
  message_id kernel.object_id not null,
  room_id kernel.object_id not null,
  reported_by kernel.object_id not null,
  reason text not null,
  status text not null check (status in ('open', 'dismissed', 'removed')),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by kernel.object_id,
  unique (message_id, reported_by)
);
create index report_listing on chat.report (status, id desc);
