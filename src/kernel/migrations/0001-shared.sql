-- What every module's tables lean on.

-- A 24-character lower-case hexadecimal object identifier. Byte order is time order.
create domain kernel.object_id as text collate "C"
  check (length(value) = 24 and translate(value, '0123456789abcdef', '') = '');

-- A number of Keys, or a change of it, that survives every JSON parser.
create domain kernel.keys as bigint
  check (value between -9007199254740991 and 9007199254740991);

-- For triggers of append-only tables.
create function kernel.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on %.% is refused: the table is append-only', tg_op, tg_table_schema, tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Who did what to whom, as an administrator; never changed.
create table kernel.audit_entry (
  id kernel.object_id primary key,
  actor text not null,
  actor_email text,
  action text not null,
  target text,
  details jsonb not null default '{}',
  request_id text,
  created_at timestamptz not null
);
create index audit_entry_by_time on kernel.audit_entry (created_at desc, id desc);

create trigger audit_entry_is_append_only before update or delete or truncate on kernel.audit_entry
  for each statement execute function kernel.refuse_change();
