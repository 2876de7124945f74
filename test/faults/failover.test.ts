// The primary is killed under load and its synchronous replica is promoted. The platform, whose DATABASE_URL names
// both, continues without help, and no acknowledged transfer is lost.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fundWalletAsAdmin, getBalance, signIn, signUp, transferKeys } from '../../sdk/src/index.ts';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import type { ObjectId } from '../../src/kernel/ids.ts';
import { transactionIdOf } from '../../src/modules/wallet/ledger/transactions.model.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';
import { STREAMING, startReplica } from '../support/replica.ts';

const LANES = 6;
/** Transfers that each lane has acknowledged before the primary is killed, and after. */
const BEFORE = 20;
const AFTER = 20;

const SETTINGS = { shared_buffers: '32MB', max_connections: '60', fsync: 'off' };
const folder = mkdtempSync(join(tmpdir(), 'platform-failover-'));
const from = join(folder, 'primary');
const primary = await startCluster({ folder: from, settings: { ...SETTINGS, ...STREAMING } });
await primary.createDatabase('platform');
const replica = await startReplica({ primary, from, folder: join(folder, 'replica'), settings: SETTINGS });

async function ask(cluster: typeof primary, text: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: cluster.urlOf('platform') });
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}
await ask(primary, `alter system set synchronous_standby_names = '*'`);
await ask(primary, `alter system set synchronous_commit = 'remote_apply'`);
await ask(primary, 'select pg_reload_conf()');
await until(async () => {
  const row = await ask(primary, 'select sync_state from pg_stat_replication');
  return row?.sync_state === 'sync';
}, 'the synchronous replica');

const hostOf = (cluster: typeof primary) => new URL(cluster.urlOf('platform')).searchParams.get('host');
// The standby is named first: the order does not matter.
const url = `postgresql:///platform?host=${hostOf(replica)},${hostOf(primary)}&user=postgres`;
const program = await startProgram(['src/main.js', 'start'], { ...PRODUCTION, DATABASE_URL: url });
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
after(async () => {
  await program.end('SIGKILL');
  await database.close();
  await replica.stop();
  primary.abandon();
  rmSync(folder, { recursive: true, force: true });
});

const client = new Client(program.readyValues.url as string, { 'x-api-key': PRODUCTION.API_KEY });
const administrator = { email: PRODUCTION.ADMIN_EMAIL, password: PRODUCTION.ADMIN_PASSWORD };
const { data: admin } = await client.call(signIn, { body: { ...administrator, platform: 'web' } });

async function newMember(): Promise<{ id: string; client: Client }> {
  const { data } = await client.call(signUp, {
    body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  return { id: data.user.id, client: client.as(data.accessToken) };
}

test('after a failover the platform continues without help, and no acknowledged transfer is lost', {
  timeout: 600_000,
}, async () => {
  const receiver = await newMember();
  const senders = await Promise.all(Array.from({ length: LANES }, newMember));
  for (const { id } of senders)
    await client.as(admin.accessToken).call(fundWalletAsAdmin, { body: { userId: id, amount: 1_000 } });
  const acknowledged: string[] = [];
  const refusals = new Set<number>();
  let isPromoted = false;
  /** Repeats each transfer with the same key until it is acknowledged. */
  async function lane(sender: Client): Promise<void> {
    for (let sent = 0, later = 0; later < AFTER; sent++) {
      const keyed = sender.with({ 'idempotency-key': `transfer-${sent}` });
      for (;;) {
        const body = { toUserId: receiver.id, amount: 1 };
        const answer = await keyed.attempt(transferKeys, { body });
        if (answer.status === 201 && answer.data) {
          acknowledged.push(answer.data.transaction.transactionId);
          break;
        }
        refusals.add(answer.status);
        await sleep(100);
      }
      if (isPromoted) later++;
    }
  }
  const lanes = Promise.all(senders.map(({ client }) => lane(client)));
  await until(() => acknowledged.length >= LANES * BEFORE, 'transfers before');
  primary.abandon();
  await until(() => refusals.size > 0, 'requests during the outage');
  await ask(replica, 'select pg_promote()');
  isPromoted = true;
  await lanes;
  assert.deepEqual([...refusals], [503], 'during the failover requests are refused with 503 only');
  const rows = await database.all<{ id: ObjectId }>('select id from wallet.transaction');
  const kept = new Set(rows.map(({ id }) => transactionIdOf(id)));
  assert.deepEqual(
    acknowledged.filter((id) => !kept.has(id)),
    [],
  );
  const { balance } = (await receiver.client.call(getBalance)).data;
  assert.equal(balance, acknowledged.length, 'each arrived once');
  assert.deepEqual(await ledgerFaults(database), []);
  // One notification for each transfer; the welcome has no transaction.
  const notified = `select count(*) from notifications.notification
    where user_id = $1 and metadata ? 'transactionId'`;
  await until(
    async () => (await database.count(notified, [receiver.id])) === acknowledged.length,
    'the work of the queue goes on as well',
  );
});
