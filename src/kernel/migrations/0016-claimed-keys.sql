-- A row without an answer claims the key for a request that is under way, or whose answer was lost.
alter table kernel.idempotency_key alter column answer drop not null;
