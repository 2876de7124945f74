-- concurrently
-- What administrators list transactions by. Most transactions are small transfers, which cost these indexes nothing.
create index concurrently if not exists transaction_of_type on wallet.transaction (type, id desc) where type <> 'transfer';
create index concurrently if not exists transaction_large on wallet.transaction (id desc) where amount >= 1000;
create index concurrently if not exists transaction_of_checkout
  on wallet.transaction ((metadata ->> 'checkoutSessionId'), id desc)
  where type <> 'transfer' and metadata ->> 'checkoutSessionId' is not null;
create index concurrently if not exists withdrawals_of_user on wallet.transaction (to_user_id, id desc)
  where type = 'withdrawal';
