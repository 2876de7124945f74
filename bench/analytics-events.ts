import type pg from 'pg';
import { type ClickHouse, startClickHouse } from './analytics-clickhouse.ts';
import { STEPS } from './analytics-data.ts';
import { openDuckDb, type RunInDuckDb } from './analytics-duckdb.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';
import type { Fixture } from './fixture.ts';
import { median } from './paired.ts';

interface EventsDeps {
  client: pg.Client;
  fixture: Fixture;
  /** Sends a request as an administrator, and returns the data of the answer; fails unless it succeeds. */
  call: (path: string, body?: object) => Promise<unknown>;
  record: (what: string, ours: string, beside: string, limit?: string) => void;
}

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const DAY_MS = 86_400_000;

interface Runner {
  name: string;
  /** Returns a figure by which the answers are compared. */
  run: () => Promise<unknown>;
  /** The CPU of each process that takes part, in microseconds. */
  meters: (() => number)[];
}

/** Measures reports that read the events, beside the same in SQL, DuckDB and ClickHouse, in turns; medians. */
export async function events(deps: EventsDeps): Promise<void> {
  const clickhouse = await startClickHouse(deps.client);
  const duckdb = await openDuckDb(deps.client);
  try {
    await funnel(deps, duckdb, clickhouse);
    await daily(deps, duckdb, clickhouse);
  } finally {
    if (typeof clickhouse !== 'string') await clickhouse.stop();
  }
}

type Peers = [duckdb: RunInDuckDb | undefined, clickhouse: ClickHouse | string];

/** A funnel of four steps over 30 days. */
async function funnel(deps: EventsDeps, ...peers: Peers): Promise<void> {
  const { client, call } = deps;
  const { rows: numbered } = await client.query(
    `select no, name from analytics.name where source = 'client' and type = 'bench' and name = any($1)`,
    [STEPS],
  );
  const numbers = STEPS.map((step) => numbered.find(({ name }) => name === step)?.no as number);
  // Whole milliseconds ago, so that every round asks the same.
  const from = Date.now() - 30 * DAY_MS;
  const nested = nestedWindows(numbers, from);
  const inPostgres = nested.replace(
    `from event where ts >= ${from}`,
    `from (select person, occurred_at as ts, name from analytics.event) e where ts >= to_timestamp(${from / 1000})`,
  );
  const body = { eventSequence: STEPS, startDate: new Date(from).toISOString() };
  await compare(deps, peers, 'funnel of 4 steps, 30 days', {
    ours: async () => {
      const { funnel: steps } = (await call('/v1/analytics/funnel', body)) as { funnel: { count: number }[] };
      return steps.at(-1)?.count;
    },
    sql: async () => (await client.query({ text: inPostgres, rowMode: 'array' })).rows[0]?.[0],
    duckdb: nested,
    // Counts in hundredths of a second, because it takes what does not fit into 31 bits for missing.
    clickhouse: `select countIf(level = ${numbers.length}) from (
      select windowFunnel(${(30 * DAY_MS) / 10})(toUInt32(intDiv(ts - ${from}, 10)), ${numbers.map((number) => `name = ${number}`)}) as level
      from event where ts >= ${from} and name in (${numbers}) group by person)`,
  });
}

/** Events and members of each day; the answers are compared by the sum of members. */
async function daily(deps: EventsDeps, ...peers: Peers): Promise<void> {
  const { client, call } = deps;
  const from = (Math.floor(Date.now() / DAY_MS) - 89) * DAY_MS;
  const startDate = new Date(from).toISOString();
  const sumOver = (day: string, distinct: string, rest = `event where ts >= ${from}`): string =>
    `select sum(members) from (select ${day} as day, count(*), ${distinct} as members from ${rest} group by 1) days`;
  const inPostgres = sumOver(
    'occurred_at::date',
    'count(distinct person)',
    `analytics.event where occurred_at >= '${startDate}'
       and name in (select no from analytics.name where source = 'client')`,
  );
  await compare(deps, peers, 'aggregate by day, 90 days', {
    ours: async () => {
      const days = await call(`/v1/analytics/aggregate?groupBy=day&startDate=${startDate}`);
      return (days as { uniqueUsers: number }[]).reduce((sum, { uniqueUsers }) => sum + uniqueUsers, 0);
    },
    sql: async () => (await client.query({ text: inPostgres, rowMode: 'array' })).rows[0]?.[0],
    duckdb: sumOver(`ts // ${DAY_MS}`, 'count(distinct person)'),
    clickhouse: sumOver(`intDiv(ts, ${DAY_MS})`, 'uniqExact(person)').replace('group by 1', 'group by day'),
  });
}

interface Questions {
  ours: Runner['run'];
  sql: Runner['run'];
  duckdb: string;
  clickhouse: string;
}

async function compare(
  { fixture, record }: EventsDeps,
  [duckdb, clickhouse]: Peers,
  what: string,
  asked: Questions,
): Promise<void> {
  const postgres = (): number => cpuWithChildrenUs(fixture.postmasterPid);
  const own = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const runners: Runner[] = [
    { name: 'ours', run: asked.ours, meters: [() => cpuUs(fixture.pid), postgres] },
    { name: 'SQL', run: asked.sql, meters: [postgres] },
  ];
  if (duckdb)
    runners.push({ name: 'DuckDB', run: async () => (await duckdb(asked.duckdb))[0]?.[0], meters: [own] });
  if (typeof clickhouse !== 'string')
    for (const threads of [1, undefined])
      runners.push({
        name: `ClickHouse ${clickhouse.version}${threads ? ', one thread' : ''}`,
        run: () => clickhouse.ask(asked.clickhouse, threads),
        meters: [() => cpuUs(clickhouse.pid)],
      });
  const { texts, wall, answers } = await inTurns(runners);
  const [ours, ...others] = texts as [string, ...string[]];
  const lacking = [
    duckdb ? [] : 'DuckDB: not installed',
    typeof clickhouse === 'string' ? `ClickHouse: ${clickhouse}` : [],
  ];
  const given =
    [...new Set(answers)].length > 1 ? `answers ${answers.join(', ')}` : `all answer ${answers[0]}`;
  const ratios = (wall.get('DuckDB') ?? []).map((ms, round) => (wall.get('ours')?.[round] as number) / ms);
  const ofDuckDb = `${median(ratios).toFixed(2)} of DuckDB's (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`;
  record(
    what,
    ours.replace('ours: ', ''),
    [...others, ...lacking.flat(), given].join('; '),
    duckdb ? ofDuckDb : '',
  );
}

/** Runs each once per round, in reverse order every other round, after a first time that is not measured. */
async function inTurns(
  runners: Runner[],
): Promise<{ texts: string[]; wall: Map<string, number[]>; answers: string[] }> {
  const wall = new Map<string, number[]>(runners.map(({ name }) => [name, []]));
  const cpu = new Map<string, number[][]>(runners.map(({ name }) => [name, []]));
  const answers = new Map<string, string>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const { name, run, meters } of round % 2 === 0 ? runners : runners.toReversed()) {
      const before = meters.map((meter) => meter());
      const startedMs = performance.now();
      answers.set(name, String(await run()));
      const tookMs = performance.now() - startedMs;
      if (round === 0) continue;
      wall.get(name)?.push(tookMs);
      cpu.get(name)?.push(meters.map((meter, place) => (meter() - (before[place] as number)) / 1000));
    }
  const texts = runners.map(({ name, meters }) => {
    const used = meters.map((_, place) =>
      Math.round(median((cpu.get(name) ?? []).map((round) => round[place] as number))),
    );
    return `${name}: ${Math.round(median(wall.get(name) ?? []))} ms (CPU ${used.join(' + ')} ms)`;
  });
  return { texts, wall, answers: runners.map(({ name }) => answers.get(name) as string) };
}

/** The same query with nested windows, the best form in plain SQL, with a window that begins at the first step. */
const nestedWindows = (numbers: number[], from: number): string =>
  `with s1 as (select person, ts, name from event where ts >= ${from} and name in (${numbers.join(',')})),
    m as (select person, ts, name, max(case when name = ${numbers[0]} then ts end) over w as t1 from s1
      window w as (partition by person order by ts rows between unbounded preceding and 1 preceding)),
    m2 as (select *, max(case when name = ${numbers[1]} and t1 is not null then t1 end) over w as t2 from m
      window w as (partition by person order by ts rows between unbounded preceding and 1 preceding)),
    m3 as (select *, max(case when name = ${numbers[2]} and t2 is not null then t2 end) over w as t3 from m2
      window w as (partition by person order by ts rows between unbounded preceding and 1 preceding))
    select count(distinct person) filter (where name = ${numbers[3]} and t3 is not null) from m3`;
