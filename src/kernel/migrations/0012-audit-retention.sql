-- The audit log stays append-only, except that its old entries may be deleted by an installation that is told not to keep
-- them for ever. Entries about money, and those of the last year, are never deleted.
create function kernel.is_about_money(action text) returns boolean language sql immutable
  return split_part(action, '.', 1) in ('wallet', 'withdrawal', 'transaction', 'payment', 'checkout', 'purchase', 'ledger',
    'exchange-rate', 'funding-key');

create function kernel.refuse_to_forget() returns trigger language plpgsql as $$
begin
  if current_setting('kernel.forgetting', true) is distinct from 'on' or kernel.is_about_money(old.action)
    or old.created_at > statement_timestamp() - interval '365 days' then
    raise exception '% on %.% is refused: the table is append-only', tg_op, tg_table_schema, tg_table_name
      using errcode = 'restrict_violation';
  end if;
  return old;
end $$;

drop trigger audit_entry_is_append_only on kernel.audit_entry;
create trigger audit_entry_is_append_only before truncate on kernel.audit_entry
  for each statement execute function kernel.refuse_change();
create trigger audit_entry_stays before delete on kernel.audit_entry
  for each row execute function kernel.refuse_to_forget();
