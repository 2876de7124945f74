import type pg from 'pg';
import { STEPS } from './analytics-data.ts';
import { openDuckDb } from './analytics-duckdb.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';
import type { Fixture } from './fixture.ts';

interface FunnelDeps {
  client: pg.Client;
  fixture: Fixture;
  /** Sends a request as an administrator; fails unless it succeeds. */
  call: (path: string, body?: object) => Promise<void>;
  record: (what: string, ours: string, beside: string, limit?: string) => void;
}

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Measures a funnel of four steps over 30 days, beside the same in SQL and in DuckDB, in turns; medians. */
export async function funnel({ client, fixture, call, record }: FunnelDeps): Promise<void> {
  const { rows: numbered } = await client.query(
    `select no, name from analytics.name where source = 'client' and type = 'bench' and name = any($1)`,
    [STEPS],
  );
  const numbers = STEPS.map((step) => numbered.find(({ name }) => name === step)?.no as number);
  // Whole milliseconds ago, so that every round asks the same.
  const from = Date.now() - 30 * 86_400_000;
  const nested = nestedWindows(numbers, from);
  const inPostgres = nested.replace(
    `from event where ts >= ${from}`,
    `from (select person, occurred_at as ts, name from analytics.event) e where ts >= to_timestamp(${from / 1000})`,
  );
  const duckdb = await openDuckDb(client);
  const postgres = (): number => cpuWithChildrenUs(fixture.postmasterPid);
  const own = (): number => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const body = { eventSequence: STEPS, startDate: new Date(from).toISOString() };
  const runners: [string, () => Promise<unknown>, (() => number)[]][] = [
    ['ours', () => call('/v1/analytics/funnel', body), [() => cpuUs(fixture.pid), postgres]],
    ['nested windows', () => client.query(inPostgres), [postgres]],
    ...(duckdb
      ? [['DuckDB', () => duckdb(nested), [own]] as [string, () => Promise<unknown>, [() => number]]]
      : []),
  ];
  const wall = new Map<string, number[]>();
  const cpu = new Map<string, number[][]>();
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, run, meters] of round % 2 === 0 ? runners : runners.toReversed()) {
      const before = meters.map((meter) => meter());
      const startedMs = performance.now();
      await run();
      if (round === 0) continue; // warms up
      wall.set(name, [...(wall.get(name) ?? []), performance.now() - startedMs]);
      const used = meters.map((meter, place) => (meter() - (before[place] as number)) / 1000);
      cpu.set(name, [...(cpu.get(name) ?? []), used]);
    }
  const timesOf = (name: string): string => {
    const parts = (cpu.get(name)?.[0] ?? []).map((_, place) =>
      Math.round(median((cpu.get(name) ?? []).map((used) => used[place] as number))),
    );
    return `${Math.round(median(wall.get(name) ?? []))} ms (CPU ${parts.join(' + ')} ms)`;
  };
  const ratios = (wall.get('DuckDB') ?? []).map((ms, round) => (wall.get('ours')?.[round] as number) / ms);
  record(
    'funnel of 4 steps, 30 days',
    timesOf('ours'),
    `nested windows: ${timesOf('nested windows')}; DuckDB: ${duckdb ? timesOf('DuckDB') : 'not installed'}`,
    ratios.length > 0
      ? `0.5 of DuckDB: ${median(ratios).toFixed(2)} (${ratios.map((r) => r.toFixed(2))})`
      : '',
  );
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
