// The limit for reads: Fastify with a route that does the same query for one user, and nothing else.
import Fastify from 'fastify';
import { openDatabase } from '../src/kernel/database/database.ts';
import { statement } from '../src/kernel/database/queries.ts';

const database = openDatabase({
  url: process.env.DATABASE_URL as string,
  connections: 20,
  onBackgroundError: () => undefined,
});
const balance = statement<object>(
  'bare-balance',
  `select balance, round(balance * usd.rate, 2) as "balanceUSD", 'Keys' as currency, locked, is_active as "isActive"
   from wallet.account
   cross join (select rate from wallet.exchange_rate where currency = 'USD' and effective_to is null) usd
   where name = 'wallet:' || $1`,
);
const history = statement<object>(
  'bare-history',
  `select transaction.id, entry.type, status, from_user_id as "fromUserId", to_user_id as "toUserId", transaction.amount,
     description, metadata, transaction.created_at as "createdAt", processed_at as "processedAt",
     balance_before as "balanceBefore", balance_after as "balanceAfter"
   from wallet.entry join wallet.transaction on transaction.id = entry.transaction_id
   where account_id = (select id from wallet.account where name = 'wallet:' || $1) order by seq desc limit 50`,
);
const app = Fastify({ logger: false });
app.get<{ Params: { userId: string } }>('/history/:userId', async ({ params }) =>
  database.all(history, [params.userId]),
);
app.get<{ Params: { userId: string } }>('/balance/:userId', async ({ params }) =>
  database.first(balance, [params.userId]),
);
await app.listen({ port: 0 });
const { port } = app.server.address() as { port: number };
console.log(`ready url=http://127.0.0.1:${port}`);
