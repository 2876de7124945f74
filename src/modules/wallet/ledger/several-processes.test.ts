// Two processes of the platform that post to the same wallets.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { getBalance, transferKeys } from '../../../../sdk/src/index.ts';
import { Client } from '../../../../test/support/client.ts';
import { besideWaiting, untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { type Member, SECRET_KEY, startPlatform } from '../../../../test/support/platform.ts';
import { startProgram } from '../../../../test/support/programs.ts';

const platform = await startPlatform();
const { database } = platform;
const folder = mkdtempSync(join(tmpdir(), 'platform-processes-'));
const program = await startProgram(['src/main.js', 'start'], {
  DATABASE_URL: platform.databaseUrl,
  SECRET_KEY,
  DATA_DIR: folder,
  PORT: '0',
  ROLE: 'api',
});
after(async () => {
  await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const { key } = await platform.newKey('admin');
const other = new Client(program.readyValues.url as string, { 'x-api-key': key });
let turn = 0;
/** Sends a transfer through either process in turn. */
const sendOnce = (from: Member, to: Member) => transferOf(from, to)();
/** The same, as often as it takes. */
const send = (from: Member, to: Member) => untilAvailable(transferOf(from, to));
function transferOf({ client, accessToken }: Member, to: Member) {
  const by = turn++ % 2 === 0 ? client : other.as(accessToken);
  const keyed = by.with({ 'idempotency-key': `transfer-${turn}` });
  return () => keyed.attempt(transferKeys, { body: { toUserId: to.id, amount: 1 } });
}
const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const membersWith = (...keys: number[]) => Promise.all(keys.map((each) => platform.newMemberWith(each)));

test('of transfers to one wallet through two processes exactly those that the balances allow succeed', async () => {
  const [hot, ...senders] = await membersWith(0, 30, 30, 30, 30);
  const answers = await Promise.all(
    senders.flatMap((sender) => Array.from({ length: 40 }, () => send(sender, hot as Member))),
  );
  const counts = Map.groupBy(answers, ({ status }) => status);
  assert.deepEqual([counts.get(201)?.length, counts.get(400)?.length], [120, 40]);
  assert.equal(await balanceOf(hot as Member), 120);
  for (const sender of senders) assert.equal(await balanceOf(sender), 0);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('opposite transfers through two processes neither deadlock nor lose Keys', async () => {
  const pair = (await membersWith(500, 500)) as [Member, Member];
  const storm = Array.from({ length: 300 }, (_, place) =>
    place % 4 < 2 ? send(pair[0], pair[1]) : send(pair[1], pair[0]),
  );
  for (const { status } of await Promise.all(storm)) assert.equal(status, 201);
  assert.deepEqual([await balanceOf(pair[0]), await balanceOf(pair[1])], [500, 500]);
  const [row] = await database.all<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  assert.equal(Number(row?.deadlocks), 0);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('while two processes take turns, a wallet that is locked for long delays only its own transfers', async (t) => {
  const [ada, ben, locked] = (await membersWith(500, 500, 0)) as [Member, Member, Member];
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  t.after(() => client.end());
  await client.query('begin');
  await client.query('select from wallet.account where name = $1 for update', [`wallet:${locked.id}`]);
  const waiting = await besideWaiting(
    async () => {
      const storm = Array.from({ length: 40 }, () => send(ada, ben));
      for (const { status } of await Promise.all(storm)) assert.equal(status, 201);
      return [1, 2, 3, 4].map(() => sendOnce(ada, locked));
    },
    async () => [await sendOnce(ben, ada)],
  );
  await client.query('commit');
  // On a busy machine a transfer may have waited for so long that it was refused.
  const outcomes = (await Promise.all(waiting)).map(({ status }) => status);
  assert.ok(outcomes.every((status) => status === 201 || status === 503));
  assert.equal(await balanceOf(locked), outcomes.filter((status) => status === 201).length);
  assert.deepEqual(await ledgerFaults(database), []);
});
