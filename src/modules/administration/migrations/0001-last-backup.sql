create schema administration;

-- The newest backup, as the job that takes backups reports it.
create table administration.last_backup (
  is_last boolean primary key default true check (is_last),
  at timestamptz not null,
  head text not null,
  place text not null
);
