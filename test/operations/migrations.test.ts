import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { getBalance } from '../../sdk/src/index.ts';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { migrate } from '../../src/kernel/database/migrations.ts';
import { funnelStore } from '../../src/modules/analytics/funnel.store.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { freePort } from '../support/ports.ts';
import * as programs from '../support/programs.ts';

const { runProgram, startProgram } = programs;
const PRODUCTION = { ...programs.PRODUCTION, DRAIN_SECONDS: '0' };
const START = ['src/main.js', 'start'];
const MIGRATE = ['src/main.js', 'migrate'];

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function openDatabase(template?: string) {
  const { url, drop } = await newDatabase(template);
  const client = await connect(url);
  after(async () => {
    await client.end();
    await drop();
  });
  return { url, client };
}

/** Creates the migrations folder of a module with a single migration. */
function migrationOf(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), 'platform-migration-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, '0001-test.sql'), sql);
  return [{ module: `test_${folder.slice(-6)}`, folder: pathToFileURL(`${folder}/`) }];
}

test('a long read does not make requests of others fail while a migration waits for it', async () => {
  const platform = await startPlatform();
  const { client } = await platform.newMemberWith(10);
  const reader = await connect(platform.databaseUrl);
  await reader.query('begin');
  await reader.query('select count(*) from wallet.account');
  let waits = 0;
  const migrating = migrate(
    platform.databaseUrl,
    migrationOf('alter table wallet.account add column test_added int;'),
    { onWait: () => waits++, pauseMs: 10 },
  );
  const failed: number[] = [];
  for (let requests = 0; (waits < 8 || requests < 10) && failed.length === 0; requests++) {
    const { status } = await client.call(getBalance);
    if (status !== 200) failed.push(status);
  }
  assert.deepEqual(failed, []);
  await reader.query('commit');
  await reader.end();
  assert.equal((await migrating).length, 1);
  assert.equal((await client.call(getBalance)).status, 200);
});

test('indexes are built outside of a transaction, after an interrupted build as well, by one of many processes', async () => {
  const { url, client } = await openDatabase();
  await client.query('create table public.large (id int); insert into public.large values (1), (1)');
  await assert.rejects(
    client.query('create unique index concurrently large_by_id on public.large (id)'),
    /unique/,
  );
  await client.query('delete from public.large');
  const sets = migrationOf(
    `-- concurrently
-- What an index is for.
create index concurrently if not exists large_by_id on public.large (id);
alter table public.large add constraint positive check (id > 0) not valid;
alter table public.large validate constraint positive;
`,
  );
  // The index build must not wait for a process that itself waits for its turn to migrate.
  const applied = await Promise.all([1, 2, 3].map(() => migrate(url, sets)));
  assert.deepEqual(applied.map(({ length }) => length).sort(), [0, 0, 1]);
  const { rows } = await client.query(
    "select indisvalid, indisunique from pg_index where indexrelid = 'public.large_by_id'::regclass",
  );
  assert.deepEqual(rows, [{ indisvalid: true, indisunique: false }]);
});

test('with MIGRATE=off a process waits and says that the schema is too old, and continues once it is migrated', async () => {
  const { url } = await openDatabase('template0');
  const port = await freePort();
  const environment = { ...PRODUCTION, DATABASE_URL: url, PORT: port, MIGRATE: 'off' };
  const starting = startProgram(START, environment);
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const isListening = () => ready().then(Boolean, () => false);
  await until(isListening, 'an answer about its health');
  assert.deepEqual(await ready(), { status: 'unavailable', schema: 'too old' });
  const keys = await runProgram(['src/main.js', 'keys', 'list'], environment);
  assert.equal(keys.code, 1);
  assert.match(
    keys.complaints,
    /^There is no installation in the database\. If there should be one, check DATABASE_URL/,
  );
  const migrated = await runProgram(MIGRATE, environment);
  assert.equal(migrated.code, 0, migrated.complaints);
  const program = await starting;
  assert.deepEqual(await ready(), { status: 'ready', degraded: ['storage'] });
  assert.equal(await program.end('SIGTERM'), 0);
});

test('a process that waits for the migration of another is alive, says why it is not ready, and logs whom it waits for', async () => {
  const { url, client } = await openDatabase('template0');
  await client.query('select pg_advisory_lock(7203814)');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const port = await freePort();
  const environment = { ...PRODUCTION, DATABASE_URL: url, PORT: port, LOG_LEVEL: 'warn' };
  const starting = startProgram(START, environment);
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/health/${path}`);
    return [response.status, await response.json()] as const;
  };
  await until(
    () =>
      ask('live').then(
        ([status]) => status === 200,
        () => false,
      ),
    'an answer about its health',
  );
  assert.deepEqual(await ask('ready'), [
    503,
    { status: 'unavailable', schema: 'too old', reason: 'the database is being migrated' },
  ]);
  await client.query('select pg_advisory_unlock(7203814)');
  const program = await starting;
  const [pid] = rows.map((row) => row.pid);
  assert.ok(
    program
      .complaints()
      .includes(`another process migrates: the session ${pid} of PostgreSQL, from a socket`),
    program.complaints(),
  );
  assert.equal((await ask('ready'))[0], 200);
  assert.equal(await program.end('SIGTERM'), 0);
});

test('a process that waits for its schema ends on a signal', async () => {
  const { url } = await openDatabase('template0');
  const port = await freePort();
  const environment = { ...PRODUCTION, DATABASE_URL: url, PORT: port, MIGRATE: 'off' };
  const child = spawn(process.execPath, START, { env: { ...process.env, ...environment }, stdio: 'ignore' });
  after(() => child.kill('SIGKILL'));
  const isLive = () =>
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isLive, 'an answer about its health');
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('readiness reports a newer schema, and is refused if this program cannot work with it', async () => {
  const { url, client } = await openDatabase();
  const program = await startProgram(START, { ...PRODUCTION, DATABASE_URL: url });
  const ready = async () =>
    (await (await fetch(`${program.readyValues.url}/health/ready`)).json()) as {
      status: string;
      schema?: string;
    };
  const insert = `insert into kernel.migration (module, name, checksum, breaks_older) values ($1, $2, 'x', $3)`;
  await client.query(insert, ['removed', '0001-of-a-removed-module.sql', true]);
  assert.equal((await ready()).schema, undefined);
  await client.query(insert, ['wallet', '9998-expanded.sql', false]);
  await until(async () => (await ready()).schema === 'newer', 'the newer schema');
  assert.equal((await ready()).status, 'ready');
  await client.query(insert, ['wallet', '9999-contracted.sql', true]);
  await until(async () => (await ready()).schema === 'too new', 'the schema that is too new');
  assert.equal((await ready()).status, 'unavailable');
  const { code, complaints } = await runProgram(START, { ...PRODUCTION, DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(complaints, /^The database was migrated by a newer release, .*9999-contracted\.sql.*$/m);
  await client.query("delete from kernel.migration where name like '999%' or module = 'trades'");
  await until(async () => (await ready()).schema === 'too old', 'the schema that is too old');
  await program.end('SIGTERM');
});

test('a migration that loses its connection is reported with the reason, and can be repeated', async () => {
  const { url, client } = await openDatabase();
  await migrate(url, migrationOf('create table public.before (id int);'));
  const lost = migrationOf(
    'create table public.lost (id int); select pg_terminate_backend(pg_backend_pid());',
  );
  await assert.rejects(migrate(url, lost), {
    name: 'MigrationFault',
    message: /database failed: Migration \S+ failed: terminating connection due to administrator command/,
  });
  const { rows } = await client.query(
    "select to_regclass('public.before') kept, to_regclass('public.lost') lost",
  );
  assert.deepEqual(rows, [{ kept: 'before', lost: null }]);
});

test('a database user without the right to change the schema is told so, and can run a migrated platform', async () => {
  const { url, client } = await openDatabase();
  const role = `test_role_${Math.random().toString(36).slice(2, 8)}`;
  await client.query(`create role ${role} login`);
  const { rows } = await client.query(
    "select string_agg(quote_ident(nspname), ', ') as all from pg_namespace where nspname !~ '^pg_|information_schema'",
  );
  // As docs/operations.md says, and no more; `backup` alone needs to select from sequences.
  const rights = { tables: 'select, insert, update, delete', sequences: 'usage', functions: 'execute' };
  for (const [what, granted] of Object.entries(rights))
    await client.query(`grant ${granted} on all ${what} in schema ${rows[0].all} to ${role}`);
  await client.query(`grant usage on schema ${rows[0].all} to ${role}`);
  const environment = { ...PRODUCTION, DATABASE_URL: url.replace('user=postgres', `user=${role}`) };
  const restricted = new pg.Client(environment.DATABASE_URL);
  await restricted.connect();
  const count = async (text: string) => Number((await restricted.query(text)).rows[0]?.coalesce);
  assert.equal(await funnelStore.lastMember({ count } as never), 0);
  await restricted.end();
  for (const mode of ['auto', 'off']) {
    const program = await startProgram(START, { ...environment, MIGRATE: mode });
    assert.equal((await fetch(`${program.readyValues.url}/health/ready`)).status, 200, mode);
    await program.end('SIGTERM');
  }
  await client.query("delete from kernel.migration where module = 'trades'");
  const { code, complaints } = await runProgram(START, environment);
  assert.equal(code, 1);
  assert.match(complaints, /^The user of DATABASE_URL may not change the schema: .* MIGRATE=off\.$/m);
  assert.doesNotMatch(complaints, /\n +at /);
  await client.query(`drop owned by ${role}`);
  await client.query(`drop role ${role}`);
});

test('a database that is a read replica is reported in a sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-replica-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const primary = await startCluster({ folder });
  await primary.stop();
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  const replica = await startCluster({ folder });
  try {
    const url = replica.urlOf('postgres');
    for (const [args, mode] of [
      [START, 'auto'],
      [MIGRATE, 'auto'],
      [START, 'off'],
    ] as const) {
      const { code, complaints } = await runProgram([...args], {
        ...PRODUCTION,
        DATABASE_URL: url,
        MIGRATE: mode,
      });
      assert.equal(code, 1);
      assert.match(complaints, /^DATABASE_URL names a read replica, on which nothing can be written\./m);
      assert.doesNotMatch(complaints, /\n +at /);
    }
  } finally {
    await replica.stop();
  }
});
