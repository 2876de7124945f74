-- Which transactions were reversed, each once, by which counter-transaction, and how many Keys could not be taken back.
create table wallet.reversal (
  transaction_id kernel.object_id primary key references wallet.transaction,
  counter_id kernel.object_id not null unique references wallet.transaction,
  short kernel.keys not null check (short >= 0),
  reversed_at timestamptz not null
);
create trigger reversal_is_append_only before update or delete or truncate on wallet.reversal
  for each statement execute function kernel.refuse_change();
