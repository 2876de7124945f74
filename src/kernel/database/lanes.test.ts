import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/live.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { type Database, openDatabase } from './database.ts';
import { clientDisconnected } from './lanes.ts';

const { database, url } = await ownDatabase(2);

/** Returns the long queries that are currently running. */
const running = (): Promise<number> =>
  database.count(
    `select count(*) from pg_stat_activity
     where datname = current_database() and state = 'active' and query = 'select pg_sleep(600)'`,
  );
const ask = (signal?: AbortSignal) =>
  database.heavy.run((queries) => queries.all('select pg_sleep(600)'), signal);

test('a lane runs two queries, queues eight, refuses more, and cancels a query whose caller has left', async () => {
  const callers = Array.from({ length: 10 }, () => new AbortController());
  const asked = callers.map(({ signal }) =>
    ask(signal).then(
      () => undefined,
      (error: Error) => error,
    ),
  );
  await until(async () => (await running()) === 2, 'two questions');
  await assert.rejects(ask(), { status: 503 });
  // Ordinary queries keep the pool to themselves.
  assert.equal(await database.count('select 7'), 7);
  callers[5]?.abort();
  assert.ok(clientDisconnected.is(await asked[5]));
  callers[0]?.abort();
  assert.ok(clientDisconnected.is(await asked[0]));
  await until(async () => (await running()) === 2, 'the next question');
  for (const caller of callers) caller.abort();
  for (const answer of await Promise.all(asked)) assert.ok(clientDisconnected.is(answer));
  await until(async () => (await running()) === 0, 'the end of all');
  assert.equal(await database.heavy.run((queries) => queries.count('select 1')), 1);
});

test('a query in a lane reads one snapshot and cannot write', async () => {
  await database.execute('create table public.thing (n integer)');
  const [before, later] = await database.heavy.run(async (queries) => {
    const first = await queries.count('select count(*) from public.thing');
    await database.execute('insert into public.thing values (1)');
    return [first, await queries.count('select count(*) from public.thing')] as const;
  });
  assert.deepEqual([before, later], [0, 0]);
  await assert.rejects(
    database.heavy.run((queries) => queries.execute('insert into public.thing values (2)')),
    { code: '25006' },
  );
});

test('a transaction can set its own statement timeout', async (t) => {
  const impatient = openDatabase({
    url,
    connections: 2,
    onBackgroundError: () => undefined,
    answerTimeoutMs: 2_000,
  });
  t.after(() => impatient.close());
  const sleep = (on: Database, seconds: number, maxStatementMs?: number) =>
    on.transaction(
      (tx) => tx.execute(`select pg_sleep(${seconds})`),
      maxStatementMs === undefined ? {} : { maxStatementMs },
    );
  await assert.rejects(sleep(database, 2, 200), /statement timeout/);
  await Promise.all([
    assert.rejects(sleep(database, 16), /statement timeout/),
    // Longer than the client, too, waits for an answer otherwise.
    sleep(impatient, 3, 60_000),
  ]);
});
