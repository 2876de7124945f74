-- Trade ideas: announced, and closed once.

create schema trades;

create table trades.trade (
  id kernel.object_id primary key,
  user_id kernel.object_id not null,
  symbol text collate "C" not null,
  direction text not null check (direction in ('long', 'short')),
  entry_price numeric not null check (entry_price > 0),
  stop_loss numeric check (stop_loss > 0),
  take_profit numeric check (take_profit > 0),
  note text not null default '',
  status text not null check (status in ('open', 'won', 'lost', 'even')),
  exit_price numeric check (exit_price > 0),
  created_at timestamptz not null,
  closed_at timestamptz,
  check ((status = 'open') = (closed_at is null) and (closed_at is null) = (exit_price is null))
);
create index trade_by_user on trades.trade (user_id, id desc);
create index trade_by_symbol on trades.trade (symbol, id desc);
create index trade_by_status on trades.trade (status, id desc);
