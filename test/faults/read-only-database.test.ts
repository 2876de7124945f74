import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createWallet, getProfile } from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const ada = await platform.newMember();

/** Runs statements of an operator, who may write whatever the database is set to. */
async function operate(...statements: string[]): Promise<void> {
  const client = new pg.Client({
    connectionString: platform.databaseUrl,
    options: '-c default_transaction_read_only=off',
  });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test('a database that refuses writes shows in readiness and metrics until it takes them again', async () => {
  const name = new URL(platform.databaseUrl).pathname.slice(1);
  const health = async () => {
    const answer = await fetch(`${platform.url}/health/ready`);
    return [answer.status, ((await answer.json()) as { degraded?: string[] }).degraded];
  };
  assert.deepEqual([await health(), await platform.metric('db_writable')], [[200, undefined], 1]);
  await operate(
    `alter database ${name} set default_transaction_read_only = on`,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await until(async () => {
    await ada.client.attempt(createWallet);
    return (await platform.metric('db_writable')) === 0;
  }, 'a write that fails');
  assert.deepEqual(await health(), [200, ['database']]);
  assert.equal(await platform.metric('db_up'), 1);
  assert.equal((await ada.client.call(getProfile)).status, 200, 'reads are answered');
  await operate(`alter database ${name} reset default_transaction_read_only`);
  await operate(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await until(async () => (await platform.metric('db_writable')) === 1, 'a write, without a request');
  assert.deepEqual(await health(), [200, undefined]);
});
