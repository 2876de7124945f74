-- concurrently
-- Parts of the names of communities, for whoever looks for one in their list.
create index concurrently if not exists community_by_name on community.community
  using gin (lower(name) public.gin_trgm_ops);
