import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { STEPS } from './analytics-data.ts';

interface PlansDeps {
  client: pg.Client;
  /** Sends a request as an administrator; fails unless it succeeds. */
  call: (path: string, body?: object) => Promise<unknown>;
}

/** Writes the plans of all statements of the reports, the search and the boards, as the server executed them. */
export async function plans({ client, call }: PlansDeps): Promise<void> {
  await client.query("load 'auto_explain'");
  for (const [name, value] of [
    ['session_preload_libraries', 'auto_explain'],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_buffers', 'on'],
    ['auto_explain.log_nested_statements', 'off'],
  ])
    await client.query(`alter database platform set ${name} = '${value}'`);
  const reconnect = () =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'platform-api%'`,
    );
  await reconnect();
  const { rows: where } = await client.query('show data_directory');
  const log = join(where[0].data_directory, '..', 'postgres.log');
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
  const texts: string[] = [];
  for (const [path, body] of [
    ['/v1/analytics/dashboard?period=90d'],
    ['/v1/analytics/aggregate?groupBy=day'],
    ['/v1/analytics/aggregate?eventName=course.viewed'],
    [`/v1/analytics/aggregate?eventName=course.viewed&startDate=${day(40)}&endDate=${day(3)}`],
    ['/v1/analytics/aggregate?groupBy=week&timezone=Asia/Kolkata'],
    ['/v1/analytics/events/types'],
    ['/v1/analytics/events/popular'],
    ['/v1/analytics/funnel', { eventSequence: STEPS }],
    ['/v1/analytics/user/stats'],
    ['/v1/analytics/user/activity'],
    ['/v1/analytics/events'],
    ['/v1/analytics/track/bulk', { events: [{ eventName: 'page.view', eventType: 'bench', metadata: {} }] }],
    ['/v1/search?q=w0word'],
    ['/v1/search?q=w60word'],
    ['/v1/search?q=w390word+w380word'],
    ['/v1/search?q=w35wrd'],
    ['/v1/search/suggestions?q=w1'],
    ['/v1/search/suggestions?q=w0wor'],
    ['/v1/search/suggestions?q=w390wor'],
    ['/v1/search/history'],
    [`/v1/analytics/leaderboards?startDate=${day(30)}`],
    [`/v1/analytics/leaderboards?startDate=${day(30)}&platform=ios&contentType=lesson`],
  ] as [string, object?][]) {
    const from = statSync(log).size;
    await call(path, body).catch(() => call(path, body)); // the first after the reconnection may fail
    await new Promise((resolve) => setTimeout(resolve, 300));
    const logged = readFileSync(log).subarray(from).toString();
    const plans = logged
      .split(/^\d{4}-\d\d-\d\d .*?LOG: {2}duration: /m)
      .slice(1)
      .filter(
        (text) => /(analytics|search|watching|leaderboards|wallet)\./.test(text) && !/pgboss/.test(text),
      );
    texts.push(`# ${body ? 'POST' : 'GET'} ${path}\n${plans.join('\n')}`);
  }
  await client.query('alter database platform reset all');
  await reconnect();
  writeFileSync(process.env.BENCH_PLANS ?? 'plans.txt', texts.join('\n\n'));
}
