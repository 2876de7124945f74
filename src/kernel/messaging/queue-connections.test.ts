import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { Type } from 'typebox';
import { forwarder } from '../../../test/simulation/forwarder.ts';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { openDatabase } from '../database/database.ts';
import { only } from '../only.ts';
import { startJobs } from './job-queue.ts';
import { JOB_SCHEMA } from './job-schema.ts';
import { job, jobKind } from './jobs.ts';
import { ownConnections, prepareOwnStatements, type QueueLimits } from './queue-connections.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 1, onBackgroundError: () => undefined });
await database.execute(`alter database "${new URL(url).pathname.slice(1)}" set datestyle to 'SQL, DMY'`);
const LIMITS = { statementMs: 60_000, answerMs: 90_000 };
const boss = await startBoss(url);
after(async () => {
  await boss.stop({ graceful: false, close: true });
  await database.close();
  await drop();
});

/** Starts pg-boss without its periodic work. */
async function startBoss(connectionString: string, limits: QueueLimits = LIMITS): Promise<PgBoss> {
  const started = new PgBoss({
    connectionString,
    ...ownConnections(limits),
    schema: JOB_SCHEMA,
    supervise: false,
    schedule: false,
    migrate: false,
  });
  // Connections may still be closing when the database is dropped.
  started.on('error', () => undefined);
  await started.start();
  return started;
}

const socketFolder = new URL(url).searchParams.get('host');
/** Returns the URL of the database behind a forwarder. */
function throughNetwork(port: number): string {
  const through = new URL(url);
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${port}`;
  return through.href;
}

const SLEEPING = `select count(*) from pg_stat_activity
  where datname = current_database() and query = 'select pg_sleep(60)' and state = 'active'`;

const { pool } = boss.getDb() as unknown as { pool: pg.Pool };
const end = new AbortController();
prepareOwnStatements(boss, { nameOf: () => undefined, limits: LIMITS, end: end.signal });

async function planOf(statement: string): Promise<string> {
  const plan = await database.all<{ 'QUERY PLAN': string }>(`explain ${statement}`);
  return plan.map((line) => line['QUERY PLAN']).join('\n');
}

test('jobs are claimed by their keys, whatever PostgreSQL knows of the table', async (t) => {
  await boss.createQueue('test.backlog');
  await boss.insert(
    'test.backlog',
    Array.from({ length: 300 }, (_, number) => ({ data: { number } })),
  );
  const query = t.mock.method(pool, 'query');
  assert.equal((await boss.fetch('test.backlog', { batchSize: 100 }))?.length, 100);
  const sent = query.mock.calls.map(
    ({ arguments: [config] }) => (config as unknown as { text: string }).text,
  );
  const lines = await planOf(only(sent.filter((text) => text.includes('FOR UPDATE'))));
  assert.match(lines, /Index Cond: \(\(name = 'test\.backlog'::text\) AND \(id = ANY/);
  assert.doesNotMatch(lines, /Join/);
});

test('jobs are completed by their keys, too', async (t) => {
  await boss.createQueue('test.completing');
  await boss.insert(
    'test.completing',
    Array.from({ length: 300 }, (_, number) => ({ data: { number } })),
  );
  const query = t.mock.method(pool, 'query');
  const options = { batchSize: 100, perJobResults: true, burstWhenBatchFull: true } as const;
  const done = Promise.withResolvers<void>();
  let runs = 0;
  await boss.work('test.completing', options, async (jobs) => {
    if (++runs === 2) done.resolve();
    return jobs.map(({ id }) => ({ id, status: 'completed' as const }));
  });
  await done.promise;
  const configs = query.mock.calls.map(
    ({ arguments: [config] }) => config as unknown as { text: string; values: [string, string] },
  );
  const completions = configs.filter(({ text }) => text.includes('completed_on'));
  const { text, values } = completions[0] as (typeof configs)[number];
  const [name, payload] = values;
  const lines = await planOf(text.replace('$1', `'${name}'`).replace('$2', `'${payload}'`));
  assert.match(lines, /Index Cond: \(\(name = 'test\.completing'::text\) AND \(id = ANY/);
  const { rows } = await pool.query(
    `select count(*)::integer as completed from ${JOB_SCHEMA}.job where name = $1 and state = 'completed'`,
    [name],
  );
  assert.ok(rows[0].completed >= 100);
});

test('a claim that takes too long is ended by PostgreSQL, and maintenance may take longer', async (t) => {
  const limits = { ...LIMITS, statementMs: 1_000 };
  const limited = await startBoss(url, limits);
  t.after(() => limited.stop({ graceful: false, close: true }));
  prepareOwnStatements(limited, { nameOf: () => undefined, limits, end: end.signal });
  const own = limited.getDb();
  await assert.rejects(own.executeSql('select pg_sleep($1::int)', [60]), { code: '57014' });
  await own.executeSql('select pg_sleep(2)');
  await assert.rejects(own.executeSql('begin; select 1 / 0; commit'), { code: '22012' });
  await assert.rejects(own.executeSql('select pg_sleep($1::int)', [60]), { code: '57014' });
});

test('maintenance whose connection breaks is rejected, and nothing else ends', async (t) => {
  const network = await forwarder({ target: () => ({ path: `${socketFolder}/.s.PGSQL.5432` }) });
  const cutOff = await startBoss(throughNetwork(network.port));
  t.after(async () => {
    network.close();
    await cutOff.stop({ graceful: false, close: true });
  });
  prepareOwnStatements(cutOff, { nameOf: () => undefined, limits: LIMITS, end: end.signal });
  const maintaining = cutOff.getDb().executeSql('select pg_sleep(60)');
  maintaining.catch(() => undefined);
  await until(async () => (await database.count(SLEEPING)) > 0, 'the statement');
  network.cut();
  await assert.rejects(maintaining, /Connection terminated/);
});

test('done jobs are deleted once their time is over', async (t) => {
  const kind = jobKind('test.done', { version: 1, data: Type.Object({}) });
  const all = [job(kind, { run: async () => undefined })];
  const own = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
  const jobs = await startJobs({ database: own, url, onError: () => undefined });
  t.after(async () => {
    await jobs.stop();
    await own.close();
  });
  await jobs.prepare(all);
  await jobs.work(all, { catchesUp: false });
  await own.transaction((tx) => jobs.enqueue(tx, kind, [{}]));
  const done = `select count(*) from ${JOB_SCHEMA}.job where name = 'test.done' and state = 'completed'`;
  await until(async () => (await own.count(done)) === 1, 'the end of the job');
  await own.execute(
    `update ${JOB_SCHEMA}.job set completed_on = now() - interval '16 minutes' where name = 'test.done'`,
  );
  // The next look is within ten seconds, and deletes what has waited for a minute.
  await own.execute(`update ${JOB_SCHEMA}.queue set maintain_on = now() - interval '61 seconds'`);
  await until(async () => (await own.count(done)) === 0, 'the deletion of the job');
});

test('times of the queue are read, whatever the database is set to', async () => {
  const { rows } = await boss.getDb().executeSql('select now() as now', []);
  assert.ok(Math.abs(rows[0].now.getTime() - Date.now()) < 60_000);
});

test('jobs go on when the connections of the queue have fallen silent without being closed', async (t) => {
  const network = await forwarder({ target: () => ({ path: `${socketFolder}/.s.PGSQL.5432` }) });
  const done: string[] = [];
  const kind = jobKind('test.silence', { version: 1, data: Type.Object({ name: Type.String() }) });
  const all = [job(kind, { run: async ({ name }) => void done.push(name) })];
  const own = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
  const jobs = await startJobs({
    database: own,
    url: throughNetwork(network.port),
    limits: { statementMs: 1_000, answerMs: 2_000 },
    onError: () => undefined,
  });
  t.after(async () => {
    network.close();
    await jobs.stop();
    await own.close();
  });
  await jobs.prepare(all);
  await jobs.work(all, { catchesUp: false });
  const enqueue = (name: string) => own.transaction((tx) => jobs.enqueue(tx, kind, [{ name }]));
  await enqueue('before');
  await until(() => done.length === 1, 'the first job');
  network.silence();
  await enqueue('after');
  await until(() => done.length === 2, 'the job after the silence');
  assert.deepEqual(done, ['before', 'after']);
});

test('a queue that stops does not wait for its maintenance', async () => {
  const running = boss.getDb().executeSql('select pg_sleep(60)');
  running.catch(() => undefined);
  await until(async () => (await database.count(SLEEPING)) > 0, 'the statement');
  end.abort();
  await assert.rejects(running, /Connection terminated/);
  const { rows } = await boss.getDb().executeSql('select 1 as one');
  assert.deepEqual(rows, [{ one: 1 }], 'what takes no time is still answered');
});
