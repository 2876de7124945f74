import type { Seed } from '../seed.ts';

const SYMBOLS = 'XAUUSD XAGUSD EURUSD GBPUSD USDJPY GBPJPY NAS100 US30 BTCUSD ETHUSD';

/** Seeds trade ideas, most of them closed. */
export const tradeSeed: Seed = {
  large: async (tx) => {
    await tx.execute(
      `insert into trades.trade (id, user_id, symbol, direction, entry_price, note, status, exit_price, created_at, closed_at)
       select pg_temp.new_id(t.at), s.id, pg_temp.pick($1), pg_temp.pick('long short'), 100, '', status,
         case when status <> 'open' then 101 end, t.at,
         case when status <> 'open' then least(now(), t.at + random() * interval '5 days') end
       from seeded_member s cross join lateral generate_series(1, floor(s.zeal * 10)::integer) k
       cross join lateral (select s.at + (k * 0 + random()) * (now() - s.at) as at,
         case when random() < 0.1 + k * 0 then 'open' when random() < 0.55 then 'won' else 'lost' end as status) t`,
      [SYMBOLS],
    );
    await tx.execute(
      `insert into seeded_fact (name, type, user_id, at) select 'trade.created', 'trading', user_id, created_at
       from trades.trade where user_id in (select id from seeded_member)`,
    );
    await tx.execute(
      `insert into seeded_fact (name, type, user_id, at) select 'trade.' || status, 'trading', user_id, closed_at
       from trades.trade where status <> 'open' and user_id in (select id from seeded_member)`,
    );
    return 'trade ideas';
  },
};
