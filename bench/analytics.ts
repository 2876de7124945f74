// Prints the times of tracking, reports, search and leaderboards, beside limits measured in the same run. `npm run
// bench:analytics`. BENCH_EVENTS, BENCH_DOCUMENTS and BENCH_SESSIONS are the numbers of rows, and DUCKDB_MODULE is the
// path of an installed @duckdb/node-api, which is not a dependency. BENCH_FOLDER keeps the database between runs,
// BENCH_PARTS selects parts (fill, reports, funnel, search, boards, ingestion; plans writes the plans of all statements
// to the file BENCH_PLANS), and BENCH_FILL_SECONDS limits the time of filling.
import pg from 'pg';
import { fillDocuments, fillEvents, fillSessions, OutOfTime, wordOf } from './analytics-data.ts';
import { openDuckDb, writeNarrow } from './analytics-duckdb.ts';
import { fts5, timesOf } from './analytics-fts5.ts';
import { funnel } from './analytics-funnel.ts';
import { ingestion } from './analytics-ingestion.ts';
import { plans } from './analytics-plans.ts';
import { startFixture } from './fixture.ts';
import { load, request } from './load.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 10_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const FILL_SECONDS = Number(process.env.BENCH_FILL_SECONDS ?? 3600);
const PARTS = (process.env.BENCH_PARTS ?? 'fill,reports,funnel,search,boards,ingestion').split(',');
/** Whether scans, nested windows and DuckDB are measured too. */
const IS_BESIDE = process.env.BENCH_BESIDE !== 'no';
/** Number of concurrent clients in the second measurement of each kind of search. */
const CLIENTS = 20;

const rows: { what: string; ours: string; beside: string; limit: string }[] = [];
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
const record = (what: string, ours: string, beside: string, limit = ''): void => {
  rows.push({ what, ours, beside, limit });
  console.log(`${what}: ${ours}; ${beside}`);
};

/** Returns the median of several runs, not counting the first. */
async function timed(run: () => Promise<unknown>, runs = 5): Promise<number> {
  const took: number[] = [];
  for (let number = 0; number <= runs; number++) {
    const startedMs = performance.now();
    await run();
    if (number > 0) took.push(performance.now() - startedMs);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(runs / 2)] as number;
}

// Enough members that none reaches the daily limit of tracked events.
const fixture = await startFixture(60, { keptFolder: process.env.BENCH_FOLDER });
const client = new pg.Client({ connectionString: fixture.databaseUrl });
await client.connect();
await client.query("set timezone = 'UTC'");
// The nightly rebuild would delete the documents, which have no records.
await client.query("delete from jobs.schedule where name = 'search.rebuild'");
const scan = async (text: string): Promise<string> =>
  IS_BESIDE ? ms(await timed(() => client.query(text), 1)) : 'not measured';

const signedIn = await fetch(`${fixture.url}/v1/auth/signin`, {
  method: 'POST',
  headers: { 'x-api-key': fixture.unlimitedKey, 'content-type': 'application/json' },
  body: JSON.stringify({ ...fixture.admin, platform: 'web' }),
});
const { data: admin } = (await signedIn.json()) as { data: { accessToken: string } };
const headers = {
  'x-api-key': fixture.unlimitedKey,
  authorization: `Bearer ${admin.accessToken}`,
  'content-type': 'application/json',
};
async function call(path: string, body?: object): Promise<void> {
  const answer = await fetch(fixture.url + path, {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  await answer.text();
}

async function reports(): Promise<void> {
  const duckdb = IS_BESIDE ? await openDuckDb(client) : undefined;
  const inDuckDb = duckdb
    ? ms(
        await timed(
          () =>
            duckdb('select ts // 86400000 as day, count(*), count(distinct person) from event group by 1'),
          1,
        ),
      )
    : 'not measured';
  const raw = await scan(
    `select occurred_at::date, count(*), count(distinct person) from analytics.event group by 1`,
  );
  record(
    'aggregate by day, 90 days',
    ms(await timed(() => call('/v1/analytics/aggregate?groupBy=day'))),
    `scan: ${raw}; DuckDB: ${inDuckDb}`,
    '50 ms',
  );
  record(
    'aggregate by week in Asia/Kolkata',
    ms(await timed(() => call('/v1/analytics/aggregate?groupBy=week&timezone=Asia/Kolkata'), 3)),
    'members are counted from their quarters of an hour',
  );
  record(
    'aggregate of one name by day, 90 days',
    ms(await timed(() => call('/v1/analytics/aggregate?eventName=course.viewed'), 3)),
    'members are counted from the gaps',
  );
  for (const period of ['7d', '30d', '90d'])
    record(
      `dashboard, ${period} and the period before it`,
      ms(await timed(() => call(`/v1/analytics/dashboard?period=${period}`))),
      '',
      '50 ms',
    );
}

async function searching(): Promise<void> {
  const measureWith = async (connections: number, pathOf: () => string) => {
    const { p50Ms, p99Ms, perSecond, statuses } = await load({
      url: fixture.url,
      connections,
      seconds: SECONDS,
      next: () => request('GET', pathOf(), headers),
    });
    if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(JSON.stringify(statuses));
    return `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, ${Math.round(perSecond)}/s`;
  };
  // With many clients on a few cores, the time is mostly queueing; the rate shows the capacity of the server.
  const measure = async (what: string, pathOf: () => string, beside: string, limit: string) => {
    record(what, await measureWith(1, pathOf), beside, limit);
    record(`${what}, ${CLIENTS} clients`, await measureWith(CLIENTS, pathOf), '');
  };
  const plain = await scan(
    // Each half uses its own index.
    `select id from (
       select id, words from search.document where is_prominent and words @@ to_tsquery('search.english', 'w7word')
       union all
       select id, words from search.document where not is_prominent and words @@ to_tsquery('search.english', 'w7word')) d
     order by ts_rank(words, to_tsquery('search.english', 'w7word')) desc limit 20`,
  );
  const word = () => wordOf(Math.random());
  const beginning = () => word().slice(0, 1 + Math.floor(Math.random() * 6));
  const inProcess = IS_BESIDE ? await fts5(client) : undefined;
  const besideOf = (query: () => string, limit = 20): string => {
    if (!inProcess) return 'not measured';
    const { p50Ms, p99Ms } = timesOf(() => inProcess(query(), limit));
    return `FTS5 in process: p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`;
  };
  await measure(
    'search, words by their frequency',
    () => `/v1/search?q=${word()}&page=2`,
    `plain tsquery, all ranked: ${plain}; ${besideOf(word)}`,
    'p99 50 ms',
  );
  await measure(
    'search, two words',
    () => `/v1/search?q=${word()}+${word()}`,
    besideOf(() => `${word()} ${word()}`),
    'p99 50 ms',
  );
  await measure(
    'suggestions',
    () => `/v1/search/suggestions?q=${beginning()}`,
    besideOf(() => `title: ${beginning()}*`, 10),
    'p99 10 ms',
  );
}

async function boards(): Promise<void> {
  let second = 0;
  const from = Date.now() - 30 * 86_400_000;
  const fresh = () =>
    call(`/v1/analytics/leaderboards?startDate=${new Date(from + 1000 * second++).toISOString()}`);
  const built = await timed(fresh, 2);
  const fromCache = await timed(() => call('/v1/analytics/leaderboards?period=30d'), 20);
  // Computes only the educators' peaks; the boards contain three more rankings.
  const peaks = await scan(
    `select educator_id, max(open) from (
       select educator_id, sum(step) over (partition by educator_id order by at, step rows unbounded preceding) as open
       from (
         select educator_id, started_at as at, 1 as step from watching.session where started_at > now() - interval '30 days'
         union all
         select educator_id, ended_at, -1 from watching.session where started_at > now() - interval '30 days') steps) running
     group by 1`,
  );
  record(
    'leaderboards of 30 days, kept',
    ms(fromCache),
    `built anew: ${ms(built)}; a scan for the peaks alone: ${peaks}`,
  );
}

/** Waits until the jobs have aggregated everything. */
async function added(untilMs: number): Promise<void> {
  for (;;) {
    const { rows: left } = await client.query(
      `select (select count(*) from analytics.delta) + (select count(*) from analytics.arrival)
         + (select count(*) from analytics.dirty)
         + (select count(*) from analytics.unpacked where hour < now() - interval '65 minutes') as deltas,
         coalesce((select extract(day from now() - days_until) from watching.kept),
           (select 1000 from watching.session limit 1), 0) as days`,
    );
    if (Number(left[0].deltas) === 0 && Number(left[0].days) < 2) return;
    if (performance.now() > untilMs) throw new OutOfTime(JSON.stringify(left[0]));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function fill(): Promise<void> {
  const untilMs = performance.now() + FILL_SECONDS * 1000;
  await client.query('set synchronous_commit = off');
  await client.query("set work_mem = '512MB'");
  try {
    await fillEvents(client, EVENTS, untilMs);
    await fillDocuments(client, DOCUMENTS, untilMs);
    await fillSessions(client, SESSIONS, untilMs);
    await added(untilMs);
    await client.query('vacuum analyze');
    if (process.env.DUCKDB_MODULE !== undefined) await writeNarrow(client);
    console.log('filled');
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    console.log(`The time is over, ${error.message}. Run it again`);
  }
}

const parts: Record<string, () => Promise<void>> = {
  fill,
  settle: () => added(performance.now() + FILL_SECONDS * 1000).catch((error) => console.log(error.message)),
  reports,
  funnel: () => funnel({ client, fixture, call, record }),
  search: searching,
  boards,
  ingestion: () => ingestion({ client, fixture, seconds: SECONDS, record }),
  plans: () => plans({ client, call }),
};
try {
  for (const part of PARTS) await parts[part]?.();
} finally {
  await client.end();
  await fixture.stop();
}
console.table(rows);
