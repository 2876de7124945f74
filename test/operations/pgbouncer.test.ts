import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signUp } from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { clientDisconnected } from '../../src/kernel/database/lanes.ts';
import type { Pooler } from '../../src/kernel/database/poolers.ts';
import { statement } from '../../src/kernel/database/queries.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { noPgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const needsPgBouncer = { skip: noPgBouncer };
const START = ['src/main.js', 'start'];
const { url: directUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-pgbouncer-'));
after(async () => {
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

function through(url: string, pooler: Pooler) {
  const database = openDatabase({ url, pooler, connections: 6, onBackgroundError: () => undefined });
  after(() => database.close());
  return database;
}

const LIMITS = `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone`;
const OURS = { statement: '5s', lock: '3s', idle: '10s', zone: 'UTC' };
const double = statement<{ twice: number }>('tests.double', 'select $1::int * 2 as twice');

for (const mode of ['session', 'transaction'] as const) {
  test(`through PgBouncer in ${mode} mode time limits hold and statements work`, needsPgBouncer, async () => {
    const url = await startPgBouncer(directUrl, { mode, connections: mode === 'session' ? 20 : 3 });
    const database = through(url, mode);
    await database.refuseLostLimits();
    assert.deepEqual(await database.first(LIMITS), OURS);
    assert.deepEqual(await database.transaction((tx) => tx.first(LIMITS)), OURS);
    const long = await database.transaction((tx) => tx.first(LIMITS), { maxStatementMs: 60_000 });
    assert.deepEqual(long, { ...OURS, statement: '1min' });
    const ofReport = await database.heavy.run((queries) =>
      queries.first(`select current_setting('statement_timeout') as statement,
        current_setting('work_mem') as memory, current_setting('transaction_read_only') as read_only`),
    );
    assert.deepEqual(ofReport, { statement: '1min', memory: '64MB', readOnly: 'on' });
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 2 === 0 ? database.first(double, [n]) : database.transaction((tx) => tx.first(double, [n])),
      ),
    );
    assert.deepEqual(
      all.map((row) => row?.twice),
      all.map((_, n) => n * 2),
    );
    await assert.rejects(database.execute('select 1 / 0'), { code: '22012' });
    assert.equal(await database.count('select 7'), 7, 'after a failure, too');
  });

  test(
    `through PgBouncer in ${mode} mode a report whose reader has left is cancelled`,
    needsPgBouncer,
    async () => {
      const url = await startPgBouncer(directUrl, { mode });
      const database = through(url, mode);
      const reader = new AbortController();
      const text = `select pg_sleep(600), '${mode}'`;
      const report = database.heavy.run((queries) => queries.all(text), reader.signal);
      const running = () =>
        database.count(`select count(*) from pg_stat_activity where state = 'active' and query = $1`, [text]);
      await until(async () => (await running()) === 1, 'the report');
      reader.abort();
      await assert.rejects(report, (error) => clientDisconnected.is(error));
      await until(async () => (await running()) === 0, 'its end');
    },
  );
}

test(
  'a pooler that is not configured, or in another mode, is reported in a sentence',
  needsPgBouncer,
  async () => {
    const refusing = await startPgBouncer(directUrl, { mode: 'session' });
    const dropping = await startPgBouncer(directUrl, { mode: 'session', dropsOptions: true });
    const byTransaction = await startPgBouncer(directUrl, { mode: 'transaction' });
    const list = (DATABASE_URL: string, more: Record<string, string> = {}) =>
      runProgram(['src/main.js', 'keys', 'list'], { DATA_DIR: join(folder, 'list'), DATABASE_URL, ...more });
    const [refused, dropped, other] = await Promise.all([
      list(refusing),
      list(dropping),
      list(byTransaction, { DATABASE_POOLER: 'session' }),
    ]);
    assert.match(refused.complaints, /^DATABASE_URL leads to a connection pooler: .*Set DATABASE_POOLER/);
    assert.match(
      dropped.complaints,
      /^Time limits do not hold .*statement_timeout is 0.*Set DATABASE_POOLER/,
    );
    assert.match(other.complaints, /^DATABASE_POOLER is session, but .* Set DATABASE_POOLER=transaction/);
    assert.deepEqual([refused.code, dropped.code, other.code], [1, 1, 1]);
  },
);

test(
  'a platform behind PgBouncer in transaction mode serves requests and runs jobs',
  needsPgBouncer,
  async () => {
    const { url, drop } = await newDatabase();
    after(drop);
    const program = await startProgram(START, {
      DATABASE_URL: await startPgBouncer(url, { mode: 'transaction', connections: 4 }),
      DATABASE_DIRECT_URL: url,
      DATABASE_POOLER: 'transaction',
      DATA_DIR: join(folder, 'start'),
      PORT: '0',
    });
    const { url: base, sandbox, apiKey } = program.readyValues as Record<string, string>;
    const client = new Client(base as string, { 'x-api-key': apiKey as string });
    const people = await Promise.all(
      Array.from({ length: 12 }, () => {
        const name = { firstName: 'Ada', lastName: 'Lovelace' };
        return client.call(signUp, {
          body: { email: newEmail(), password: PASSWORD, platform: 'web', ...name },
        });
      }),
    );
    assert.equal(people.length, 12);
    // The mail is sent by a job, of which the queue notifies its worker.
    await until(async () => {
      const mails = await (await fetch(`${sandbox}/mailbox`)).text();
      return people.every(({ data }) => mails.includes(data.user.email));
    }, 'a mail to each');
    assert.equal(await program.end('SIGTERM'), 0);
    assert.equal(program.complaints().match(/prepared statement/), null);
  },
);
