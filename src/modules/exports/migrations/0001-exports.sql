-- Exports of what the platform holds of a member, as files in the object storage.

create schema exports;

create table exports.export (
  id kernel.object_id primary key,
  user_id kernel.object_id not null,
  -- Whether the member asked for it, and not an administrator.
  is_own boolean not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  created_at timestamptz not null,
  ready_at timestamptz,
  -- From then on the file is removed.
  expires_at timestamptz,
  constraint ready_ones_expire check (
    (status = 'ready') = (ready_at is not null) and (ready_at is null) = (expires_at is null)
  )
);
create index export_of_user on exports.export (user_id, created_at desc, id desc);
create index export_pending on exports.export (created_at) where status = 'pending';
create index export_by_age on exports.export (created_at);
