// Prints the times of tracking, reports, search and leaderboards, beside limits and peers measured in the same run. `npm
// run bench:analytics`. BENCH_EVENTS, BENCH_DOCUMENTS and BENCH_SESSIONS are the numbers of rows. DUCKDB_MODULE is the
// path of an installed @duckdb/node-api, which is not a dependency; Groonga (part search) and ClickHouse (part events)
// are those of the system. BENCH_FOLDER keeps the database between runs, BENCH_PARTS selects parts (fill, reports,
// events, search, boards, ingestion; plans writes the plans of all statements to the file BENCH_PLANS), and
// BENCH_FILL_SECONDS limits the time of filling.
import pg from 'pg';
import { fillDocuments, fillEvents, fillSessions, OutOfTime } from './analytics-data.ts';
import { writeNarrow } from './analytics-duckdb.ts';
import { events } from './analytics-events.ts';
import { ingestion } from './analytics-ingestion.ts';
import { plans } from './analytics-plans.ts';
import { searching } from './analytics-search.ts';
import { startFixture } from './fixture.ts';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 10_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const FILL_SECONDS = Number(process.env.BENCH_FILL_SECONDS ?? 3600);
const PARTS = (process.env.BENCH_PARTS ?? 'fill,reports,events,search,boards,ingestion').split(',');
/** Whether scans, FTS5 and Groonga are measured too. */
const IS_BESIDE = process.env.BENCH_BESIDE !== 'no';

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
async function call(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(fixture.url + path, {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return ((await answer.json()) as { data: unknown }).data;
}

async function reports(): Promise<void> {
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
    await writeNarrow(client);
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
  events: () => events({ client, fixture, call, record }),
  search: () => searching({ client, fixture, headers, record, isBeside: IS_BESIDE }),
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
