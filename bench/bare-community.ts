// The limits of community: Fastify with a route that inserts the same row, or reads a feed that was written beforehand.
import Fastify from 'fastify';
import { openDatabase } from '../src/kernel/database/database.ts';
import { statement } from '../src/kernel/database/queries.ts';

const database = openDatabase({
  url: process.env.DATABASE_URL as string,
  connections: 20,
  onBackgroundError: () => undefined,
});
const insert = statement<never>(
  'bare-follow',
  `insert into bench.follow (user_id, educator_id, followed_at) values ($1, $2, now()) on conflict do nothing`,
);
const remove = statement<never>(
  'bare-unfollow',
  'delete from bench.follow where user_id = $1 and educator_id = $2',
);
const feed = statement<object>(
  'bare-feed',
  `select a.* from (select announcement_id as id from bench.feed where user_id = $1 order by announcement_id desc limit 20) f
   join educators.announcement a using (id) order by id desc`,
);
const app = Fastify({ logger: false });
app.post<{ Params: { userId: string; educatorId: string } }>(
  '/follow/:userId/:educatorId',
  async ({ params }) => {
    await database.execute(insert, [params.userId, params.educatorId]);
    return { followed: true };
  },
);
app.delete<{ Params: { userId: string; educatorId: string } }>(
  '/follow/:userId/:educatorId',
  async ({ params }) => {
    await database.execute(remove, [params.userId, params.educatorId]);
    return { followed: false };
  },
);
app.get<{ Params: { userId: string } }>('/feed/:userId', async ({ params }) =>
  database.all(feed, [params.userId]),
);
await app.listen({ port: 0 });
const { port } = app.server.address() as { port: number };
console.log(`ready url=http://127.0.0.1:${port}`);
