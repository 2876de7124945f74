import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/live.ts';
import { batching } from '../concurrency/batching.ts';
import { DatabaseUse } from '../database-use.ts';
import { currentTrace, newTrace, withTrace } from '../trace.ts';
import { openDatabase } from './database.ts';
import { statement } from './queries.ts';
import type { SlowStatement } from './timed.ts';

const { url, drop } = await newDatabase();
const slow: (SlowStatement & { traceId: string | undefined })[] = [];
const database = openDatabase({
  url,
  connections: 2,
  onBackgroundError: () => undefined,
  slow: { ms: 200, onSlow: (told) => slow.push({ ...told, traceId: currentTrace()?.traceId }) },
});
after(async () => {
  await database.close();
  await drop();
});

/** Does something as a request, and returns what it spent on the database. */
async function usedBy(work: () => Promise<unknown>): Promise<DatabaseUse> {
  const databaseUse = new DatabaseUse();
  await withTrace({ ...newTrace(), databaseUse }, work);
  return databaseUse;
}
const sleep = (ms: number) => database.all(`select pg_sleep(${ms / 1000})`);

test('statements that run at the same time count once in the time of a request', async () => {
  const startedMs = performance.now();
  const use = await usedBy(() => Promise.all([sleep(100), sleep(100)]));
  const tookMs = performance.now() - startedMs;
  assert.equal(use.queries, 2);
  assert.ok(use.dbMs >= 95 && use.dbMs <= tookMs, `${use.dbMs} of ${tookMs}`);
});

test('the time spent waiting for a connection is counted apart from that of statements', async () => {
  const begun = Promise.withResolvers<void>();
  const held = [1, 2].map(() =>
    database.transaction(async (tx) => {
      await tx.all('select 1');
      await begun.promise;
    }),
  );
  await until(() => database.connections().idle === 0, 'all connections in use');
  const waiting = usedBy(() => database.count('select count(*) from pg_class'));
  await until(() => database.connections().waiting === 1, 'a request that waits');
  const sinceMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const waitedMs = performance.now() - sinceMs;
  begun.resolve();
  await Promise.all(held);
  const use = await waiting;
  assert.ok(use.waitMs >= waitedMs, `${use.waitMs} of ${waitedMs}`);
  assert.equal(use.queries, 1);
});

test('a transaction counts its statements with begin and commit, and failed ones, too', async () => {
  const use = await usedBy(() =>
    database.transaction(async (tx) => {
      await tx.all('select 1');
      tx.send(statement<never>('timed.nothing', 'select $1::int'), [1]);
    }),
  );
  assert.equal(use.queries, 4);
  const failed = await usedBy(() => assert.rejects(database.all('select no_such_column'), /no_such_column/));
  assert.equal(failed.queries, 1);
  const { dbMs } = failed;
  await sleep(20);
  assert.equal(failed.dbMs, dbMs, 'it does not go on after the failure');
});

test('a request that waits for its batch waits for the database', async () => {
  const run = async (inputs: number[]) => {
    await sleep(50);
    return inputs;
  };
  const batched = batching(run, { maxSize: 10, concurrency: 1, maxQueued: 2, onOverflow: () => new Error() });
  const [first, second] = await Promise.all([usedBy(() => batched(1)), usedBy(() => batched(2))]);
  for (const use of [first, second]) assert.ok(use.queries === 1 && use.dbMs >= 45, `${use.dbMs}`);
});

test('a slow statement is reported with its name or text, without values, within the trace of its request', async () => {
  // On a busy machine others may be slow, too.
  const slept = () =>
    slow.filter(({ statement }) => statement.includes('sleep(0.21') || statement === 'timed.sleep');
  const named = statement<{ pg_sleep: string }>('timed.sleep', 'select pg_sleep($1)');
  const trace = newTrace();
  await withTrace(trace, () => database.all(named, [0.21]));
  await database.transaction((tx) => tx.all('select  pg_sleep(0.21),\n  1'));
  assert.deepEqual(
    slept().map(({ statement, traceId }) => [statement, traceId]),
    [
      ['timed.sleep', trace.traceId],
      ['select pg_sleep(0.21), 1', undefined],
    ],
  );
  assert.ok(slept().every(({ ms }) => ms >= 200));
  // Those for which more time is allowed are expected to take long.
  const patient = { maxStatementMs: 10_000 };
  await database.transaction((tx) => tx.all('select pg_sleep(0.21)'), patient);
  await database.heavy.run((queries) => queries.all('select pg_sleep(0.21)'));
  assert.equal(slept().length, 2);
});
