// The feed of a member who follows many educators, many members who follow one educator, and an announcement to 100,000
// followers, each beside its limit in the same run.
// `npm run bench:community`, or one part: `-- feeds`, `-- hot`, `-- announcement`. On two idle cores.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startChild } from './children.ts';
import { startFixture } from './fixture.ts';
import { type LoadResult, load, request } from './load.ts';

const MEMBERS = 64;
const EDUCATORS = 1_000;
const ANNOUNCEMENTS = 1_000_000;
const FOLLOWERS = Number(process.env.FOLLOWERS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 8);
const CONNECTIONS = 32;

const fixture = await startFixture(MEMBERS);
const { members, unlimitedKey, url } = fixture;
const database = new pg.Client({ connectionString: fixture.databaseUrl });
await database.connect();
const run = (text: string, values: unknown[] = []) => database.query(text, values);
const table: object[] = [];

const educatorId = (n: number): string => `e${n.toString(16).padStart(23, '0')}`;
const HOT = educatorId(1);
const headersOf = (token: string) => ({ 'x-api-key': unlimitedKey, authorization: `Bearer ${token}` });
const anyOf = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const figure = ({ perSecond, p50Ms, p99Ms }: LoadResult): string =>
  `${Math.round(perSecond)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;

function record(what: string, ours: LoadResult, limit: LoadResult): void {
  const wrong = Object.keys(ours.statuses).filter((status) => !status.startsWith('2'));
  if (wrong.length > 0) throw new Error(`${what} was answered ${wrong.join(', ')}`);
  table.push({
    what,
    ours: figure(ours),
    limit: figure(limit),
    ratio: (ours.perSecond / limit.perSecond).toFixed(2),
  });
}

async function fill(announcements: number): Promise<void> {
  const id = `'e' || lpad(to_hex(n), 23, '0')`;
  await run(
    `insert into identity.user (id, email, username, first_name, last_name, permissions, created_at, updated_at)
     select ${id}, n || '@educators.example', 'educator' || n, 'Ed', 'Ucator ' || n, '{educator}', now(), now()
     from generate_series(1, $1::integer) n`,
    [EDUCATORS],
  );
  await run(
    `insert into educators.educator (id, username, first_name, last_name, permissions, profile, searchable, is_educator,
       is_active, educator_since, created_at, updated_at)
     select id, username, first_name, last_name, permissions, '{}', username, true, true, now(), now(), now()
     from identity.user where 'educator' = any(permissions)`,
  );
  await run(
    `insert into educators.tally (educator_id, announcements) select ${id}, $2::integer / $1::integer
     from generate_series(1, $1::integer) n`,
    [EDUCATORS, announcements],
  );
  await run(
    `insert into educators.announcement (id, educator_id, title, content, category, priority, pinned, tags, multimedia,
       created_at, updated_at)
     select lpad(to_hex(n), 24, '0'), 'e' || lpad(to_hex(1 + n % $1::integer), 23, '0'), 'News', repeat('x', 200), '',
       'normal', false, '{}', '[]', now(), now()
     from generate_series(1, $2::integer) n`,
    [EDUCATORS, announcements],
  );
  await run(
    `update educators.tally set newest_id =
       (select max(id) from educators.announcement where educator_id = tally.educator_id)`,
  );
  await run('create schema bench');
  await run(
    'create table bench.follow (user_id text, educator_id text, followed_at timestamptz, primary key (user_id, educator_id))',
  );
  await run(
    'create table bench.feed (user_id text, announcement_id text, primary key (user_id, announcement_id))',
  );
}

/** The member at each place follows this many educators. */
async function feeds(): Promise<void> {
  for (const [place, follows] of [5, 50, 500, 1_000].entries()) {
    const member = members[place] as (typeof members)[number];
    await run(
      `insert into educators.follow (user_id, educator_id, followed_at)
       select $1, 'e' || lpad(to_hex(n), 23, '0'), now() from generate_series(1, $2::integer) n`,
      [member.id, follows],
    );
    await run(
      `insert into bench.feed select $1, id from educators.announcement where educator_id in (
         select educator_id from educators.follow where user_id = $1) order by id desc limit 1000`,
      [member.id],
    );
    await run('analyze educators.follow, bench.feed, educators.announcement, educators.tally');
    const ask = request('GET', '/v1/educators/announcements/feed', headersOf(member.token));
    const bareAsk = request('GET', `/feed/${member.id}`, {});
    const options = { connections: 4, seconds: SECONDS };
    const limit = await load({ ...options, url: bare.readyValues.url as string, next: () => bareAsk });
    record(`feed of ${follows} followed`, await load({ ...options, url, next: () => ask }), limit);
  }
}

async function hotEducator(): Promise<void> {
  const toggles = (path: (member: (typeof members)[number]) => string, headers: (token: string) => object) =>
    members.flatMap((member) =>
      ['POST', 'DELETE'].map((method) =>
        request(method, path(member), headers(member.token) as Record<string, string>),
      ),
    );
  const asks = toggles(() => `/v1/educators/${HOT}/follow`, headersOf);
  const bareAsks = toggles(
    ({ id }) => `/follow/${id}/${HOT}`,
    () => ({}),
  );
  const options = { connections: CONNECTIONS, seconds: SECONDS };
  const limit = await load({ ...options, url: bare.readyValues.url as string, next: () => anyOf(bareAsks) });
  record('follow and unfollow one educator', await load({ ...options, url, next: () => anyOf(asks) }), limit);
}

/** The announcement is written through the API, by an educator who can sign in. */
async function announcement(): Promise<void> {
  const author = members[MEMBERS - 1] as (typeof members)[number];
  await run(`update identity.user set permissions = '{educator}' where id = $1`, [author.id]);
  await run(
    `insert into identity.user (id, email, username, first_name, last_name, created_at, updated_at)
     select 'c' || lpad(to_hex(n), 23, '0'), n || '@example.net', 'c' || n, 'A', 'Crowd', now(), now()
     from generate_series(1, $1::integer) n`,
    [FOLLOWERS],
  );
  await run(
    `insert into notifications.topic_subscription (topic, user_id, created_at)
     select $1, 'c' || lpad(to_hex(n), 23, '0'), now() from generate_series(1, $2::integer) n`,
    [`educator:${author.id}`, FOLLOWERS],
  );
  await run(
    `insert into notifications.preference (user_id, preferences, updated_at)
     select 'c' || lpad(to_hex(n), 23, '0'),
       '{"email":{"enabled":false,"types":[]},"push":{"enabled":false,"types":[]},"sms":{"enabled":false,"types":[]}}', now()
     from generate_series(1, $1::integer) n`,
    [FOLLOWERS],
  );
  await run('vacuum analyze');
  const startedMs = performance.now();
  const answer = await fetch(`${url}/v1/educators/${author.id}/announcements`, {
    method: 'POST',
    headers: { ...headersOf(author.token), 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'To everybody', content: 'It begins.' }),
  });
  if (answer.status !== 201) throw new Error(`the announcement was answered ${answer.status}`);
  const answeredMs = performance.now() - startedMs;
  const since = async (count: number): Promise<number> => {
    for (;;) {
      const { rows } = await run(
        `select coalesce(sum(total), 0)::integer as told from notifications.tally where user_id like 'c%'`,
      );
      if (rows[0].told >= count) return performance.now() - startedMs;
      await sleep(50);
    }
  };
  const firstMs = await since(1);
  const lastMs = await since(FOLLOWERS);
  await run('create table bench.notification (like notifications.notification including all)');
  const insertMs = performance.now();
  for (let from = 1; from <= FOLLOWERS; from += 500)
    await run(
      `insert into bench.notification
       select id, user_id, type, title, message, priority, channels, metadata, subject, read_at, created_at
       from notifications.notification where user_id between $1 and $2`,
      [`c${from.toString(16).padStart(23, '0')}`, `c${(from + 499).toString(16).padStart(23, '0')}`],
    );
  const limitMs = performance.now() - insertMs;
  const rate = (ms: number): string => `${Math.round(FOLLOWERS / (ms / 1000))}/s`;
  table.push({
    what: `announcement to ${FOLLOWERS}, in the app`,
    ours: `${rate(lastMs)}: answered in ${answeredMs.toFixed(0)} ms, first after ${firstMs.toFixed(0)} ms, last after ${(lastMs / 1000).toFixed(1)} s`,
    limit: `${rate(limitMs)} inserting the same rows`,
    ratio: (limitMs / lastMs).toFixed(2),
  });
}

const bare = await startChild(['bench/bare-community.ts'], { DATABASE_URL: fixture.databaseUrl });
const parts: Record<string, () => Promise<void>> = { feeds, hot: hotEducator, announcement };
const [named] = process.argv.slice(2);
try {
  await fill(named === undefined || named === 'feeds' ? ANNOUNCEMENTS : EDUCATORS);
  for (const [name, measure] of Object.entries(parts))
    if (named === undefined || named === name) await measure();
  console.table(table);
} finally {
  await database.end();
  await bare.stop();
  await fixture.stop();
}
