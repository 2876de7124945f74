-- concurrently
-- What administrators find grants by: the beginning of the username at the charting platform.
create index concurrently if not exists access_by_handle_beginning on indicators.access (lower(handle) text_pattern_ops);
