alter table identity.user
  -- An IANA time zone and a BCP 47 language tag, as the member has set them.
  add column time_zone text,
  add column locale text,
  -- When the member last changed their own username; as many instants as the limit on changes looks at.
  add column username_changes timestamptz[] not null default '{}';
