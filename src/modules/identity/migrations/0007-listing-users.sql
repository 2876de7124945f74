-- concurrently
-- What administrators list users by.
create index concurrently if not exists user_inactive on identity.user (id desc)
  where deleted_at is null and not is_active;
create index concurrently if not exists purchase_by_sku on identity.purchase (sku, user_id, last_purchased_date);
create index concurrently if not exists session_by_use on identity.session (user_id, last_used_at desc);
