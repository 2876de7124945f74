import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../test/support/live.ts';
import { STREAMING, startReplica } from '../../../test/support/replica.ts';
import { startCluster } from '../../embedded-postgres/cluster.ts';
import { openDatabase } from './database.ts';
import { clientDisconnected } from './lanes.ts';
import type { Queries } from './queries.ts';

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

test('reports, exports and snapshots run on the replica if they request it, and see earlier commits', async () => {
  await database.execute('create table public.thing (n integer)');
  const count = (queries: Queries) => queries.count('select count(*) from public.thing');
  for (let written = 1; written <= 20; written++) {
    await database.execute('insert into public.thing values (1)');
    assert.equal(await database.heavy.run(count), written);
  }
  assert.equal(await database.heavy.run(isThere), true);
  assert.equal(await database.exports.run(isThere), true);
  assert.equal(await database.snapshot(isThere, { onReplica: true }), true);
  assert.equal(await database.snapshot(isThere), false);
  assert.equal(await database.personal.run(isThere), false);
  assert.deepEqual(database.replicaUse(), { answered: 23, fallbacks: 0 });
});

test('searches and catalogues run on the replica, one by one and in transactions, and see earlier commits', async () => {
  const { reads } = database;
  const before = database.replicaUse()?.answered ?? 0;
  for (let written = 21; written <= 40; written++) {
    await database.execute('insert into public.thing values (1)');
    assert.equal(await reads.count('select count(*) from public.thing'), written);
  }
  assert.deepEqual(await reads.all(ON_REPLICA), [{ there: true }]);
  assert.deepEqual(await reads.first(ON_REPLICA), { there: true });
  assert.equal(await reads.transaction(isThere), true);
  await assert.rejects(
    reads.transaction((tx) => tx.execute('insert into public.thing values (1)')),
    { code: '25006' },
  );
  const many = await Promise.all(Array.from({ length: 100 }, () => reads.all(ON_REPLICA)));
  assert.ok(many.every(([row]) => row?.there));
  assert.deepEqual(database.replicaUse(), { answered: before + 123, fallbacks: 0 });
});

test('a server that is another primary is never asked, however far it has come', async () => {
  const other = await startCluster({ folder: join(folder, 'other'), settings: SETTINGS });
  const mistaken = openDatabase({
    url,
    connections: 2,
    replica: { url: other.urlOf('postgres'), maxLagMs: 60_000 },
    onBackgroundError: ({ message }) => errors.push(message),
  });
  assert.equal(await mistaken.reads.count('select count(*) from public.thing'), 40);
  assert.match(errors.at(-1) ?? '', /another primary/);
  await mistaken.close();
  await other.stop();
});

test('a report whose reader has left is cancelled on the replica', async () => {
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
  const places: (boolean | undefined)[] = [];
  const conflicting = (times: number) =>
    database.heavy.run(async (queries) => {
      places.push(await isThere(queries));
      if (places.length <= times)
        await queries.execute(
          `do $$ begin raise exception 'conflict with recovery' using errcode = '40001'; end $$`,
        );
      return places.length;
    });
  assert.equal(await conflicting(1), 2);
  assert.deepEqual(places.splice(0), [true, true]);
  assert.equal(await conflicting(2), 3);
  assert.deepEqual(places, [true, true, false]);
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
  await impatient.execute('insert into public.thing values (1)');
  assert.equal(await impatient.heavy.run(isThere), false);
  assert.deepEqual(impatient.replicaUse(), { answered: 0, fallbacks: 1 });
  assert.match(errors.at(-1) ?? '', /the replica is more than 0 s behind/);
  // A member waits for a moment, where a report would wait for a minute.
  assert.deepEqual(await database.reads.all(ON_REPLICA), [{ there: false }]);
  await onReplica.query('select pg_wal_replay_resume()');
  await onReplica.end();
  assert.equal(await database.heavy.run(isThere), true, 'for those who wait for it');
  await impatient.close();

  await replica.stop();
  assert.equal(await database.heavy.run(isThere), false);
  assert.equal(await database.snapshot(isThere, { onReplica: true }), false);
  assert.deepEqual(await database.reads.all(ON_REPLICA), [{ there: false }]);
});
