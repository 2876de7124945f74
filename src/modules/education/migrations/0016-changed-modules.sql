-- When a module was last renamed or moved, so that two who change it at once do not overwrite each other.
alter table education.module add column updated_at timestamptz not null default now();
