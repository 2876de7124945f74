-- concurrently
-- Becomes the primary key of what members did in months that were dropped.

create unique index concurrently if not exists past_by_own_name on analytics.past (person, name, own_name, own_type);
