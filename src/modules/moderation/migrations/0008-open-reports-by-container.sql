-- concurrently
-- The open reports of what stands in a container, such as comments on a post, which close when it is removed.
create index concurrently if not exists open_by_container on moderation.report (container_id)
  where status = 'open' and container_id is not null;
