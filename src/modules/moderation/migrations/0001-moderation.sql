-- Who wants nothing from whom, and what members reported to the moderators.

create schema moderation;

create table moderation.block (
  blocker_id kernel.object_id not null,
  blocked_id kernel.object_id not null,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index block_of_blocked on moderation.block (blocked_id, blocker_id);

create table moderation.report (
  id kernel.object_id primary key,
  kind text not null check (kind in ('message', 'announcement', 'comment', 'story', 'post', 'post_comment')),
  subject_id kernel.object_id not null,
  -- Where it stands, such as a chatroom.
  container_id kernel.object_id,
  -- As they were when it was reported.
  author_id kernel.object_id not null,
  text text not null,
  reported_by kernel.object_id not null,
  reason text not null,
  status text not null check (status in ('open', 'dismissed', 'removed')),
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by kernel.object_id,
  constraint report_once unique (kind, subject_id, reported_by),
  check ((status = 'open') = (resolved_at is null) and (resolved_at is null) = (resolved_by is null))
);
create index report_listing on moderation.report (status, id desc);
create index report_by_kind on moderation.report (kind, status, id desc);
