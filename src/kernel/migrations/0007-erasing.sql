-- The audit log stays append-only, except that the erasure of a deleted member replaces what names them.
create function kernel.refuse_change_unless_erasing() returns trigger language plpgsql as $$
begin
  if current_setting('kernel.erasing', true) is distinct from 'on'
    or (new.id, new.actor, new.action, new.target, new.request_id, new.created_at)
      is distinct from (old.id, old.actor, old.action, old.target, old.request_id, old.created_at) then
    raise exception '% on %.% is refused: the table is append-only', tg_op, tg_table_schema, tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

drop trigger audit_entry_is_append_only on kernel.audit_entry;
create trigger audit_entry_is_append_only before delete or truncate on kernel.audit_entry
  for each statement execute function kernel.refuse_change();
create trigger audit_entry_keeps_its_facts before update on kernel.audit_entry
  for each row execute function kernel.refuse_change_unless_erasing();
