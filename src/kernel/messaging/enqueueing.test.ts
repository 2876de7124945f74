import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { newDatabase } from '../../../test/support/databases.ts';
import { holding } from '../../../test/support/holding.ts';
import { until } from '../../../test/support/live.ts';
import { openDatabase } from '../database/database.ts';
import { only } from '../only.ts';
import { enqueueing } from './enqueueing.ts';
import { JOB_SCHEMA } from './job-schema.ts';
import { onNewJobs, poolOf } from './queue-connections.ts';

const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
const boss = new PgBoss({
  connectionString: url,
  schema: JOB_SCHEMA,
  supervise: false,
  schedule: false,
  migrate: false,
  useListenNotify: true,
});
const reported: string[] = [];
onNewJobs(boss, (queue) => reported.push(queue));
// Connections may still be closing when the database is dropped.
boss.on('error', () => undefined);
await boss.start();
await boss.createQueue('test.dead');
await boss.createQueue('test.marker');
await boss.createQueue('test.enqueueing', {
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 77,
  heartbeatSeconds: 20,
  deleteAfterSeconds: 99,
  retentionSeconds: 1234,
  notify: true,
  deadLetter: 'test.dead',
});
const jobs = enqueueing({ boss, onError: assert.fail });
after(async () => {
  await jobs.settled();
  await boss.stop({ graceful: false, close: true });
  await database.close();
  await drop();
});

/** Returns all jobs of the queue, oldest first, with times in relation to their creation, and without ids. */
const rows = () =>
  database.all<{ job: Record<string, unknown> }>(
    `select to_jsonb(job) - 'id' - 'created_on' || jsonb_build_object(
       'start_after', extract(epoch from start_after - created_on), 'keep_until', extract(epoch from keep_until - created_on)) as job
     from jobs.job where name = 'test.enqueueing' order by created_on`,
  );

/** Waits until the workers know of all that was committed: notifications arrive in the order in which they are sent. */
async function untilReported(): Promise<void> {
  await jobs.settled();
  const before = reported.length;
  const marker = { queue: 'test.marker', data: [{}], priority: 0, afterSeconds: 0 };
  await database.transaction(async (tx) => jobs.enqueue(tx, marker));
  await until(() => reported.includes('test.marker', before), 'the marker');
}

test("jobs are written with all that pg-boss's own statement would write", async () => {
  const data = { text: 'Zażółć "quoted"', number: 1.5, list: [null, {}] };
  for (const [afterSeconds, priority] of [
    [0, 0],
    [30, 3],
  ] as const) {
    await database.execute('delete from jobs.job');
    await boss.insert('test.enqueueing', [{ data, priority, startAfter: `${afterSeconds} seconds` }]);
    const theirs = only(await rows());
    await database.execute('delete from jobs.job');
    await database.transaction(async (tx) => {
      jobs.enqueue(tx, { queue: 'test.enqueueing', data: [data], priority, afterSeconds });
    });
    assert.deepEqual(only(await rows()), theirs);
  }
});

test('several jobs are written at once, and a queue that does not exist fails the transaction', async () => {
  await database.execute('delete from jobs.job');
  const data = Array.from({ length: 300 }, (_, number) => ({ number }));
  const all = { priority: 0, afterSeconds: 0, data };
  await database.transaction(async (tx) => jobs.enqueue(tx, { ...all, queue: 'test.enqueueing' }));
  assert.equal((await rows()).length, 300);
  await assert.rejects(
    database.transaction(async (tx) => jobs.enqueue(tx, { ...all, queue: 'test.nothing' })),
    /null value in column "name"/,
  );
});

test('workers are notified once the transaction has committed, and of no other', async () => {
  await untilReported();
  reported.length = 0;
  const one = { queue: 'test.enqueueing', data: [{}], priority: 0 };
  await database.transaction(async (tx) => jobs.enqueue(tx, { ...one, afterSeconds: 60 }));
  const rolledBack = database.transaction(async (tx) => {
    jobs.enqueue(tx, { ...one, afterSeconds: 0 });
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await holding(database, async (tx) => {
    jobs.enqueue(tx, { ...one, afterSeconds: 0 });
    await tx.all('select 1');
    await untilReported();
    assert.deepEqual(reported, ['test.marker']);
  });
  await until(() => reported.length > 1, 'the notification comes');
  await untilReported();
  assert.deepEqual(reported, ['test.marker', 'test.enqueueing', 'test.marker']);
});

test('a notification that gets no answer delays the next ones, and does not end them', async (t) => {
  const errors: string[] = [];
  const own = enqueueing({ boss, onError: ({ message }) => errors.push(message) });
  const pool = poolOf(boss);
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  const sleeping = t.mock.method(pool, 'query', (config: pg.QueryConfig) =>
    query({ ...config, text: 'select pg_sleep(60)', values: [] }),
  );
  const one = { queue: 'test.enqueueing', data: [{}], priority: 0, afterSeconds: 0 };
  await database.transaction(async (tx) => own.enqueue(tx, one));
  await until(async () => sleeping.mock.callCount() > 0, 'the notification is sent');
  sleeping.mock.restore();
  reported.length = 0;
  await database.transaction(async (tx) => own.enqueue(tx, one));
  await own.settled();
  assert.equal(errors[0], 'Query read timeout');
  await until(async () => reported.length > 0, 'the next one comes');
  await database.all(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where datname = current_database() and query = 'select pg_sleep(60)'`,
  );
});
