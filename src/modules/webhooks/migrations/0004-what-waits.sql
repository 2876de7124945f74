-- concurrently
-- What waits at an endpoint, tried before or not: its next delivery in order, and what administrators list.
create index concurrently if not exists delivery_pending
  on webhooks.delivery (endpoint, sequence) where status = 'pending';
