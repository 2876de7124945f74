import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/support/live.ts';
import { STREAMING, startReplica } from '../../../test/support/replica.ts';
import { startCluster } from '../../embedded-postgres/cluster.ts';
import { codeOf } from '../outages.ts';
import { openDatabase } from './database.ts';
import { clientDisconnected } from './lanes.ts';
import type { Queries, Transaction } from './queries.ts';
import type { ReplicaUse } from './replica.ts';

const SETTINGS = { shared_buffers: '16MB', max_connections: '40', fsync: 'off' };
const folder = mkdtempSync(join(tmpdir(), 'platform-replica-'));
const primary = await startCluster({
  folder: join(folder, 'primary'),
  settings: { ...SETTINGS, ...STREAMING },
});
await primary.createDatabase('platform');
const url = primary.urlOf('platform');
const replica = await startReplica({
  primary,
  from: join(folder, 'primary'),
  folder: join(folder, 'replica'),
  settings: SETTINGS,
});
const errors: string[] = [];
const open = (maxLagMs: number) =>
  openDatabase({
    url,
    connections: 3,
    replica: { url: replica.urlOf('platform'), maxLagMs },
    onBackgroundError: ({ message }) => errors.push(message),
  });
const database = open(60_000);
after(async () => {
  await database.close();
  await replica.stop();
  await primary.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ON_REPLICA = 'select pg_is_in_recovery() as there';
const isThere = async (queries: Queries) => (await queries.first<{ there: boolean }>(ON_REPLICA))?.there;
const use = () => ({ ...(database.replicaUse() as ReplicaUse) });
const TIMES = 20;
const COUNT = 'select count(*) from public.thing';
const WRITE = 'insert into public.thing values (1)';
let written = 0;

/**
 * Waits until the replica answers: on a busy machine it may be late, and the primary then answers for some seconds.
 */
const untilThere = (ask: () => Promise<boolean | undefined>) =>
  until(async () => (await ask()) === true, 'an answer of the replica');

/** Writes and reads in turn, until the replica has answered each read of a series. */
const untilCaughtUp = (count: () => Promise<number>) =>
  until(async () => {
    const before = use();
    for (let time = 0; time < TIMES; time++) {
      await database.execute(WRITE);
      assert.equal(await count(), ++written);
    }
    const after = use();
    const answered = after.answered - before.answered;
    assert.equal(answered + after.fallbacks - before.fallbacks, TIMES, 'each is counted once');
    return answered === TIMES;
  }, 'a series that the replica answers');

test('reports, exports and snapshots run on the replica if they request it, and see earlier commits', async () => {
  await database.execute('create table public.thing (n integer)');
  await untilCaughtUp(() => database.heavy.run((queries) => queries.count(COUNT)));
  await untilThere(() => database.heavy.run(isThere));
  await untilThere(() => database.exports.run(isThere));
  await untilThere(() => database.snapshot(isThere, { onReplica: true }));
  const before = use();
  assert.equal(await database.snapshot(isThere), false);
  assert.equal(await database.personal.run(isThere), false);
  assert.deepEqual(use(), before, 'the replica was not to answer these');
});

test('searches and catalogues run on the replica, one by one and in transactions, and see earlier commits', async () => {
  const { reads } = database;
  await untilCaughtUp(() => reads.count(COUNT));
  const isWhere = ({ there }: { there?: boolean } = {}) => there;
  await untilThere(async () => isWhere((await reads.all(ON_REPLICA))[0]));
  await untilThere(async () => isWhere(await reads.first(ON_REPLICA)));
  await untilThere(() => reads.transaction(isThere));
  // The primary would write, but no row.
  const write = (tx: Transaction) => tx.execute('insert into public.thing select 1 where false');
  await untilThere(() =>
    reads.transaction(write).then(
      () => false,
      (error) => codeOf(error) === '25006',
    ),
  );
  await untilThere(async () => {
    const many = await Promise.all(Array.from({ length: 100 }, () => reads.all(ON_REPLICA)));
    return many.every(([row]) => isWhere(row));
  });
});

test('a server that is another primary is never asked, however far it has come', async () => {
  const other = await startCluster({ folder: join(folder, 'other'), settings: SETTINGS });
  const mistaken = openDatabase({
    url,
    connections: 2,
    replica: { url: other.urlOf('postgres'), maxLagMs: 60_000 },
    onBackgroundError: ({ message }) => errors.push(message),
  });
  assert.equal(await mistaken.reads.count(COUNT), written);
  assert.match(errors.at(-1) ?? '', /another primary/);
  await mistaken.close();
  await other.stop();
});

test('a report whose reader has left is cancelled on the replica', async () => {
  await untilThere(() => database.heavy.run(isThere));
  const reader = new AbortController();
  const text = 'select pg_sleep(600)';
  const asked = database.heavy.run((queries) => queries.all(text), reader.signal);
  const running = () =>
    database.snapshot(
      (queries) =>
        queries.count(`select count(*) from pg_stat_activity where state = 'active' and query = $1`, [text]),
      { onReplica: true },
    );
  await until(async () => (await running()) === 1, 'the report');
  reader.abort();
  await assert.rejects(asked, (error) => clientDisconnected.is(error));
  await until(async () => (await running()) === 0, 'its end');
});

test('a query that conflicts with the replica is tried there again, and then on the primary', async () => {
  /** Returns where a query runs that conflicts so many times. */
  async function placesOf(times: number): Promise<(boolean | undefined)[]> {
    const places: (boolean | undefined)[] = [];
    const ran = await database.heavy.run(async (queries) => {
      places.push(await isThere(queries));
      if (places.length <= times)
        await queries.execute(
          `do $$ begin raise exception 'conflict with recovery' using errcode = '40001'; end $$`,
        );
      return places.length;
    });
    assert.equal(ran, times + 1);
    return places;
  }
  for (const [times, expected] of [
    [1, 'true,true'],
    [2, 'true,true,false'],
  ] as const)
    await untilThere(async () => String(await placesOf(times)) === expected);
});

test('a statement that takes too long fails, and does not run once more on the primary', async () => {
  let runs = 0;
  const slow = database.heavy.run(async (queries) => {
    runs++;
    await queries.execute('set local statement_timeout = 100');
    return queries.all('select pg_sleep(60)');
  });
  await assert.rejects(slow, { code: '57014' });
  assert.equal(runs, 1);
});

test('while the replica is behind, or lost, the primary answers', async () => {
  const impatient = open(0);
  const onReplica = new pg.Client({ connectionString: replica.urlOf('platform') });
  await onReplica.connect();
  await onReplica.query('select pg_wal_replay_pause()');
  const isPaused = async () =>
    (await onReplica.query(`select pg_get_wal_replay_pause_state() = 'paused' as so`)).rows[0].so;
  await until(isPaused, 'the pause');
  await impatient.execute(WRITE);
  assert.equal(await impatient.heavy.run(isThere), false);
  assert.deepEqual(impatient.replicaUse(), { answered: 0, fallbacks: 1 });
  assert.match(errors.at(-1) ?? '', /the replica is more than 0 s behind/);
  // A member waits for a moment, where a report would wait for a minute.
  assert.deepEqual(await database.reads.all(ON_REPLICA), [{ there: false }]);
  await onReplica.query('select pg_wal_replay_resume()');
  await onReplica.end();
  await untilThere(() => database.heavy.run(isThere));
  await impatient.close();

  await replica.stop();
  assert.equal(await database.heavy.run(isThere), false);
  assert.equal(await database.snapshot(isThere, { onReplica: true }), false);
  assert.deepEqual(await database.reads.all(ON_REPLICA), [{ there: false }]);
});
