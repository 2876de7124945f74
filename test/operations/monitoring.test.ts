import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getScheduleOfWeek, signIn } from '../../sdk/src/index.ts';
import { platformVersion } from '../../src/app/version.ts';
import { job, jobKind } from '../../src/kernel/messaging/jobs.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { type Program, startProgram } from '../support/programs.ts';

const JOB_STATES = ['active', 'dead', 'delayed', 'ready'];

/** A scrape: the samples by name and labels, and the type of each metric. */
async function scrape(url: string): Promise<{ samples: Map<string, number>; types: Map<string, string> }> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/);
  const lines = (await response.text()).split('\n');
  const types = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name && type ? [[name, type] as const] : [];
  });
  const samples = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))] as const;
    });
  return { samples: new Map(samples), types: new Map(types) };
}

const failing = job(jobKind('test.failing'), {
  retries: 0,
  run: async () => {
    throw new Error('as the test wants it');
  },
});
const well = job(jobKind('test.well'), { cron: '0 0 1 1 *', run: async () => undefined });
const platform = await startPlatform({ LOG_LEVEL: 'silent', COMMIT: 'abc123', DATABASE_CONNECTIONS: '7' }, [
  { name: 'tests', service: undefined, jobs: [failing, well] },
]);
const metricsUrl = `${platform.url}/metrics`;

test('metrics cover build, pool, outbox, circuits, event loop and process', async () => {
  const { samples, types } = await scrape(metricsUrl);
  const build = `version="${platformVersion()}",commit="abc123",node="${process.version}",role="all"`;
  assert.equal(samples.get(`platform_build_info{${build}}`), 1);
  const [open, idle] = [samples.get('db_pool_connections'), samples.get('db_pool_idle_connections')];
  assert.ok(open && open <= 7 && idle !== undefined && idle <= open);
  assert.equal(samples.get('db_pool_waiting_requests'), 0);
  assert.ok((samples.get('outbox_events') ?? -1) >= 0 && (samples.get('outbox_lag_seconds') ?? -1) >= 0);
  assert.equal(samples.get('circuit_open{system="payments"}'), 0);
  assert.equal(samples.get('circuit_open{system="schedule"}'), 0);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    assert.ok((samples.get(name) ?? -1) >= 0, name);
  // What only grows is a counter, by name and by type.
  for (const [name, type] of types)
    if (!name.startsWith('nodejs_'))
      assert.equal(type === 'counter', name.endsWith('_total'), `${name} is a ${type}`);
});

test('metrics count waiting and permanently failed jobs of each queue', async () => {
  const send = (name: string, count: number, { startAfter = 'now()', isDeadLetter = true } = {}) =>
    platform.database.execute(
      `insert into jobs.job (name, data, start_after, policy, retry_limit, dead_letter)
       select $1, '{}', ${startAfter}, 'standard', 0, $3::text from generate_series(1, $2::integer)`,
      [name, count, isDeadLetter ? `${name}.dead` : null],
    );
  await send('test.failing', 2);
  await send('test.well', 3, { startAfter: "now() + interval '1 hour'" });
  // A queue of another release, which nobody here works on.
  await platform.database.execute(
    "select jobs.create_queue('test.nobody', jsonb_build_object('policy', 'standard', 'retryLimit', 0))",
  );
  await send('test.nobody', 4, { startAfter: "now() - interval '90 seconds'", isDeadLetter: false });
  await until(async () => {
    const { samples } = await scrape(metricsUrl);
    return (
      samples.get('jobs{queue="test.failing",state="dead"}') === 2 &&
      samples.get('jobs{queue="test.well",state="delayed"}') === 3 &&
      samples.get('jobs{queue="test.nobody",state="ready"}') === 4
    );
  }, 'the figures');
  const { samples } = await scrape(metricsUrl);
  assert.ok((samples.get('jobs_oldest_seconds{queue="test.nobody"}') ?? 0) >= 90);
  assert.equal(samples.get('jobs_oldest_seconds{queue="test.well"}'), 0, 'what is for later is not late');
  assert.equal(samples.get('jobs_oldest_seconds{queue="test.failing"}'), 0, 'dead ones do not age');
  assert.equal(samples.get('jobs_done_total{queue="test.failing",result="failed"}'), 2);
  for (const name of samples.keys()) {
    const state = /^jobs\{queue="[^"]+",state="([^"]+)"\}$/.exec(name)?.[1];
    if (state) assert.ok(JOB_STATES.includes(state), name);
  }
});

test('refusals, waiting passwords, e-mails, jobs and requests under way are counted', async () => {
  const member = await platform.newMember();
  await platform.client.attempt(signIn, {
    body: { email: member.email, password: 'a wrong password', platform: 'web' },
  });
  const broken = new AbortController();
  const left = fetch(`${platform.url}/v1/nowhere`, { signal: broken.signal }).catch(() => undefined);
  broken.abort();
  await left;
  const figure = async (name: string) => (await scrape(metricsUrl)).samples.get(name) ?? 0;
  assert.equal(await figure('http_refusals_total{status="401",code="AUTHENTICATION_FAILED"}'), 1);
  assert.ok((await figure('password_hash_wait_seconds_count')) >= 2);
  assert.equal(await figure('live_upgrades_refused_total{status="404"}'), 0, 'known before it happens');
  await until(async () => (await figure('mails_total{outcome="sent"}')) > 0, 'the welcome');
  const sent = 'external_call_duration_seconds_count{system="mail",result="answered"}';
  await until(async () => (await figure(sent)) > 0, 'its duration');
  const jobs = async () => [...(await scrape(metricsUrl)).samples.keys()];
  await until(
    async () => (await jobs()).some((name) => name.startsWith('job_duration_seconds_count{queue="on.')),
    'the duration of a job',
  );
  // The scrape itself is one.
  await until(async () => (await figure('http_requests_in_flight')) === 1, 'the end of all others');
});

test('an open circuit is exported as a metric', async () => {
  const control = (mode: string) => platform.standIn('schedule', { mode });
  await control('fail');
  const member = await platform.newMember();
  for (let fault = 0; fault < 6; fault++) {
    await member.client.call(getScheduleOfWeek);
    platform.clock.advance(6_000); // what was answered serves others for some seconds
  }
  assert.equal((await scrape(metricsUrl)).samples.get('circuit_open{system="schedule"}'), 1);
  await control('ok');
  platform.clock.advance(30_000);
  await member.client.call(getScheduleOfWeek);
  assert.equal((await scrape(metricsUrl)).samples.get('circuit_open{system="schedule"}'), 0);
});

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-roles-'));
const programs: Program[] = [];
after(async () => {
  for (const program of programs) await program.end('SIGKILL');
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});
async function start(more: Record<string, string>): Promise<Record<string, string>> {
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0', ...more };
  const program = await startProgram(['src/main.js', 'start'], environment);
  programs.push(program);
  return program.readyValues;
}
const statusOf = async (url: string, method = 'GET') => (await fetch(url, { method })).status;

/** Figures of the whole installation. */
const FIGURES = ['outbox_lag_seconds', 'db_size_bytes', 'backup_last_timestamp_seconds'];

test('one process tells of the whole installation, and another takes over when it stops', async () => {
  const { url, drop: dropOwn } = await newDatabase();
  const own = { DATABASE_URL: url, METRICS_PORT: '0' };
  await start({ ...own, ROLE: 'api' });
  const api = programs.at(-1) as Program;
  await start({ ...own, ROLE: 'worker' });
  await start({ ...own, ROLE: 'worker' });
  const workers = programs.slice(-2);
  const namesOf = async ({ readyValues }: Program) => (await scrape(readyValues.metrics as string)).samples;
  /** Undefined while a process takes over in the midst of its answer, or lacks time to read a figure. */
  const reportersAmong = async (some: Program[]): Promise<Program[] | undefined> => {
    const all = await Promise.all(some.map(async (one) => ({ one, samples: await namesOf(one) })));
    const isReporter = ({ samples }: (typeof all)[number]) => samples.get('metrics_reporter') === 1;
    const isSettled = all.every((each) =>
      FIGURES.every((name) => each.samples.has(name) === isReporter(each)),
    );
    return isSettled ? all.filter(isReporter).map(({ one }) => one) : undefined;
  };
  let first: Program | undefined;
  await until(async () => {
    const found = await reportersAmong(workers);
    first = found?.[0];
    return found?.length === 1;
  }, 'one of two workers tells');
  const ofApi = await namesOf(api);
  assert.ok(ofApi.has('db_up') && !ofApi.has('outbox_lag_seconds') && !ofApi.has('metrics_reporter'));
  await first?.end('SIGTERM');
  const rest = workers.filter((one) => one !== first);
  await until(async () => (await reportersAmong(rest))?.length === 1, 'the other one');
  for (const one of [...rest, api]) await one.end('SIGKILL');
  await dropOwn();
});

for (const [role, more] of [
  ['worker', {}],
  ['worker', { METRICS_PORT: '0' }],
  ['api', { METRICS_PORT: '0' }],
  ['all', { METRICS_PORT: '0' }],
] as const) {
  test(`ROLE=${role} ${JSON.stringify(more)} serves health and metrics, and nothing else there`, async () => {
    const readyValues = await start({ ROLE: role, ...more });
    const { origin } = new URL(readyValues.metrics as string);
    assert.deepEqual((await (await fetch(`${origin}/health/ready`)).json()) as object, { status: 'ready' });
    assert.equal(await statusOf(`${origin}/health/live?probe=1`), 200);
    const { samples } = await scrape(readyValues.metrics as string);
    assert.ok([...samples.keys()].some((name) => name.includes(`role="${role}"`)));
    assert.equal(await statusOf(`${origin}/v1/wallets/balance`), 404);
    assert.equal(await statusOf(`${origin}/metrics`, 'POST'), 405);
    assert.equal(readyValues.url !== undefined, role !== 'worker');
    if (readyValues.url === undefined) return;
    assert.equal(await statusOf(`${readyValues.url}/health/ready`), 200);
    assert.equal(await statusOf(`${readyValues.url}/metrics`), 404, 'not where clients come');
  });
}
