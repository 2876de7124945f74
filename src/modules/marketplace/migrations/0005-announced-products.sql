-- When members were told of a product, so that they are told once, and it can be withdrawn.
alter table marketplace.product add column announced_at timestamptz;
update marketplace.product set announced_at = created_at where is_active;
