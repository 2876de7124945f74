-- Before a row is updated, PostgreSQL fetches and locks it for a BEFORE ROW trigger, and computes the generated name
-- anew, even where the condition does not hold. An AFTER ROW trigger with the same condition, which is evaluated as the
-- row is updated, refuses the same statements.
drop trigger account_moves_by_entries on wallet.account;
create trigger account_moves_by_entries after update on wallet.account for each row
  when (pg_trigger_depth() = 0 and (old.balance, old.last_seq, old.received, old.hash)
    is distinct from (new.balance, new.last_seq, new.received, new.hash))
  execute function wallet.refuse_direct_change();
drop trigger account_keeps_its_owner on wallet.account;
create trigger account_keeps_its_owner after update on wallet.account for each row
  when ((old.id, old.kind, old.user_id, old.created_at) is distinct from (new.id, new.kind, new.user_id, new.created_at))
  execute function wallet.refuse_direct_change();
