-- concurrently
-- Entries about a transaction whose target is the member, such as fundings, debits and settlements.
create index concurrently if not exists audit_entry_by_transaction
  on kernel.audit_entry ((details ->> 'transactionId'), created_at desc, id desc)
  where details ->> 'transactionId' is not null;
