-- Files that clients uploaded for everybody to see, and the records that show them. Triggers keep the uses, in the
-- transaction of each write and whichever program makes it, so that no file is removed that a record shows.

create table kernel.public_file (
  -- Its name in the storage: files/<purpose>/<owner>/<id>.<extension>
  key text collate "C" primary key,
  owner_id kernel.object_id not null,
  -- As announced; 0 for files that are older than this table.
  bytes bigint not null check (bytes >= 0),
  -- Whether a record shows it.
  is_used boolean not null default false,
  created_at timestamptz not null,
  -- From then on it may be removed unless it is used.
  removable_at timestamptz not null
);
create index public_file_to_remove on kernel.public_file (removable_at) where not is_used;
create index public_file_unused on kernel.public_file (owner_id) where not is_used;
create index public_file_of_a_day on kernel.public_file (owner_id, created_at);

create table kernel.public_file_use (
  -- The table of the record.
  place text collate "C" not null,
  record text collate "C" not null,
  key text collate "C" not null,
  primary key (place, record, key)
);
create index public_file_use_by_file on kernel.public_file_use (key);

-- The keys of the files whose addresses stand in a text, in order; below whichever base, since that may change.
create function kernel.public_files_in(shown text) returns text[] language sql immutable as $$
  select coalesce(array_agg(distinct 'files/' || found[1] collate "C"), '{}')
  from regexp_matches(
    shown, '/((?:image|story)/[0-9a-f]{24}/[0-9a-f]{24}\.(?:jpg|png|webp|gif|avif|mp4))', 'g'
  ) as found
$$;

-- Replaces the files that a record shows. One that nothing shows any longer may be removed ten minutes later, within which
-- a request that has just checked its address saves it.
create function kernel.show_public_files(in_place text, in_record text, shown text) returns void language plpgsql as $$
declare
  wanted text[] := kernel.public_files_in(shown);
  had text[] := array(select key from kernel.public_file_use where place = in_place and record = in_record);
  touched text[] := array(
    (select unnest(wanted) except select unnest(had)) union (select unnest(had) except select unnest(wanted))
  );
begin
  if touched = '{}' then
    return;
  end if;
  -- In order, so that no two records wait for each other; each then sees the uses that the other has committed.
  perform from kernel.public_file where key = any (touched) order by key for update;
  delete from kernel.public_file_use where place = in_place and record = in_record and key <> all (wanted);
  insert into kernel.public_file_use (place, record, key)
    select in_place, in_record, unnest(wanted) on conflict do nothing;
  update kernel.public_file file
    set is_used = exists (select from kernel.public_file_use where key = file.key),
      removable_at = now() + interval '10 minutes'
    where key = any (touched);
end $$;

-- A trigger for tables whose rows have an id; its arguments are the columns that may hold addresses of files.
create function kernel.track_public_files() returns trigger language plpgsql as $$
declare
  place text := format('%s.%s', tg_table_schema, tg_table_name);
  columns text := (select string_agg(format('($1).%I', name), ', ') from unnest(tg_argv) as name);
  question text := format('select concat_ws('' '', %s), ($1).id::text', columns);
  subject text;
  had text := '';
  shown text := '';
begin
  if tg_op <> 'INSERT' then
    execute question into had, subject using old;
  end if;
  if tg_op <> 'DELETE' then
    execute question into shown, subject using new;
  end if;
  if shown <> had and (had || shown) ~ '/(image|story)/' then
    perform kernel.show_public_files(place, subject, shown);
  end if;
  return null;
end $$;

-- For records that are older than their trigger: makes the files that they show known, and their uses.
create function kernel.adopt_public_files(in_place text, in_record text, shown text) returns void language plpgsql as $$
begin
  if shown !~ '/(image|story)/' then
    return;
  end if;
  insert into kernel.public_file (key, owner_id, bytes, created_at, removable_at)
    select key, split_part(key, '/', 3), 0, now() - interval '30 days', now()
    from unnest(kernel.public_files_in(shown)) as key
    on conflict do nothing;
  perform kernel.show_public_files(in_place, in_record, shown);
end $$;
