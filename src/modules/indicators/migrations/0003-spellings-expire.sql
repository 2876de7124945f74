-- Spellings that are older than a day are not used, and deleted.
create index spelling_by_age on indicators.spelling (known_at);
