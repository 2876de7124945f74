-- concurrently
-- Grants of all indicators, newest first, by member, status and source.
create index concurrently if not exists access_of_status on indicators.access (status, id desc);
create index concurrently if not exists access_of_source on indicators.access (source, id desc);
