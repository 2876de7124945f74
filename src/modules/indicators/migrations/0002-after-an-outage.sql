-- Looked at each minute: what failed because the charting platform was unavailable, among all that needs a person.
create index access_after_outage on indicators.access (id) where status = 'failed' and error_kind = 'unavailable';
