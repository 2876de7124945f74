-- concurrently
-- What administrators list checkouts by.
create index concurrently if not exists checkout_by_status on merchant.checkout (status, id desc);
create index concurrently if not exists checkout_by_user on merchant.checkout (user_id, id desc);
