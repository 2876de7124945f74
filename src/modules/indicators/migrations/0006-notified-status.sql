-- The column says by its name what it holds: the status that the member was last notified of.
-- breaks older programs
alter table indicators.access rename column told to notified_status;
