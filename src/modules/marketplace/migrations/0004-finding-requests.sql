-- concurrently
-- What administrators find requests by, besides their e-mail address.
create index concurrently if not exists request_by_charting_id
  on marketplace.access_request (lower(charting_id) text_pattern_ops) where charting_id is not null;
