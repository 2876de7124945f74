// Transfers posted in one statement, with remembered states of their accounts: everything that can be stale is tried.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { changeWallet, fundWalletAsAdmin, getBalance, transferKeys } from '../../../../sdk/src/index.ts';
import { inLanes } from '../../../../test/support/client.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientBalance } from '../contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent', DATABASE_CONNECTIONS: '8' });
const { admin, database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const send = ({ client }: Member, to: Member, amount = 1) =>
  client.attempt(transferKeys, { body: { toUserId: to.id, amount } });
const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
const atOnce = () => platform.metric('ledger_batches_at_once_total');
const stale = () => platform.metric('ledger_batches_stale_total');

/** After a stale batch the process posts under locks for a while. */
async function untilAtOnce(from: Member, to: Member): Promise<void> {
  const before = await atOnce();
  while ((await atOnce()) === before) {
    assert.equal((await send(from, to)).status, 201);
    assert.equal((await send(to, from)).status, 201);
  }
}

/** Changes a wallet behind the back of the process, as another process does. */
const behind = (text: string, { id }: Member) =>
  database.execute(`update wallet.account set ${text} where name = $1`, [`wallet:${id}`]);

test('batches are counted from nothing', async () => {
  assert.deepEqual([await atOnce(), await stale()], [0, 0]);
});

test('plain transfers take the fast path, and fundings do not', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  const before = await atOnce();
  for (let count = 0; count < 5; count++) assert.equal((await send(ada, ben)).status, 201);
  assert.equal(await atOnce(), before + 5);
  await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 6 } });
  assert.equal(await atOnce(), before + 5);
  // Accounts that were posted to under locks are handed over, so nothing remembered is stale.
  const staleBefore = await stale();
  assert.equal((await send(ada, ben)).status, 201);
  assert.deepEqual([await atOnce(), await stale()], [before + 6, staleBefore]);
  assert.deepEqual([await balanceOf(ada), await balanceOf(ben)], [100, 6]);
});

test('a transfer with an idempotency key takes the fast path once', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  await untilAtOnce(ada, ben);
  const begin = await balanceOf(ben);
  const before = await atOnce();
  const keyed = (key: string) => ada.client.with({ 'idempotency-key': key });
  const body = { toUserId: ben.id, amount: 1 };
  const first = await keyed('key-of-a-transfer').call(transferKeys, { body });
  const second = await keyed('key-of-a-transfer').call(transferKeys, { body });
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.deepEqual(second.data, first.data);
  assert.equal(await atOnce(), before + 1);
  assert.equal(await balanceOf(ben), begin + 1);
});

test('of two processes that use one key one takes effect, and the rest of the batch succeeds', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  await untilAtOnce(ada, ben);
  const begin = await balanceOf(ben);
  const body = { toUserId: ben.id, amount: 1 };
  const original = await ada.client
    .with({ 'idempotency-key': 'key-used-elsewhere' })
    .call(transferKeys, { body });
  // The other process saves its response after this one has looked for it, so that the key is in its way.
  const rows = await database.all<{ scope: string }>(
    "select scope from kernel.idempotency_key where key = 'key-used-elsewhere'",
  );
  assert.equal(original.status, 201);
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  await client.query('begin');
  const saved = `insert into kernel.idempotency_key (scope, key, fingerprint, answer, created_at)
    select $1, 'key-of-a-race', fingerprint, answer, created_at from kernel.idempotency_key
    where key = 'key-used-elsewhere'`;
  await client.query(saved, [rows[0]?.scope]);
  const racing = ada.client.with({ 'idempotency-key': 'key-of-a-race' }).call(transferKeys, { body });
  const others = [1, 2, 3].map(() => send(ada, ben));
  await until(async () => {
    const [row] = await database.all(
      "select count(*) as waiting from pg_locks where not granted and locktype = 'transactionid'",
    );
    return Number(row?.waiting) > 0;
  }, 'the statement that waits for the key');
  await client.query('commit');
  await client.end();
  const raced = await racing;
  assert.deepEqual([raced.status, raced.data], [201, original.data]);
  for (const { status } of await Promise.all(others)) assert.equal(status, 201);
  assert.equal(await balanceOf(ben), begin + 4);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('locking and unlocking a wallet in another process applies at once', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(100)];
  for (const [close, open] of [
    ['locked = true', 'locked = false'],
    ['is_active = false', 'is_active = true'],
  ] as const) {
    await untilAtOnce(ada, ben);
    await behind(close, ada);
    assert.notEqual((await send(ada, ben)).status, 201, `sender: ${close}`);
    assert.notEqual((await send(ben, ada)).status, 201, `recipient: ${close}`);
    await behind(open, ada);
    assert.equal((await send(ada, ben)).status, 201, open);
  }
  assert.deepEqual(await ledgerFaults(database), []);
});

test('no transfer succeeds that begins after the response to a lock', async () => {
  const [ada, ben] = [await platform.newMemberWith(1_000), await platform.newMemberWith(1_000)];
  for (let round = 0; round < 5; round++) {
    await untilAtOnce(ada, ben);
    let isLocked = false;
    const locking = admin
      .call(changeWallet, { params: { userId: ada.id }, body: { locked: true } })
      .then(({ status }) => assert.equal(status, 200))
      .finally(() => {
        isLocked = true;
      });
    await inLanes(40, 8, async (place: number) => {
      const beganAfter = isLocked;
      const { status } = await (place % 2 ? send(ada, ben) : send(ben, ada));
      if (beganAfter) assert.notEqual(status, 201);
    });
    await locking;
    await admin.call(changeWallet, { params: { userId: ada.id }, body: { locked: false } });
  }
  assert.deepEqual(await ledgerFaults(database), []);
});

test('balance changes of another process apply at once', async () => {
  const [ada, ben] = [await platform.newMemberWith(10), await platform.newMemberWith(10)];
  await untilAtOnce(ada, ben);
  const rest = await balanceOf(ada);
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  /** Moves Keys from one to the other as another process would. */
  const moveBehind = async (from: Member, to: Member, amount: number) => {
    const id = Date.now().toString(16).padStart(24, 'f');
    await client.query(
      `with posted as (
         insert into wallet.transaction (id, type, status, from_user_id, to_user_id, amount, created_at, processed_at)
         values ('${id}', 'transfer', 'completed', '${from.id}', '${to.id}', ${amount}, now(), now())
       )
       insert into wallet.entry
         (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at)
       select id, last_seq + 1, '${id}', 'transfer', change, balance, balance + change,
         received + greatest(change, 0), sha256(hash), greatest(updated_at, now())
       from wallet.account
       join (values ('wallet:${from.id}', ${-amount}), ('wallet:${to.id}', ${amount})) as side (of, change) on name = of`,
    );
  };
  await moveBehind(ben, ada, 1);
  assert.equal((await send(ada, ben, rest + 1)).status, 201);
  await untilAtOnce(ben, ada);
  const all = await balanceOf(ben);
  await moveBehind(ben, ada, 1);
  const before = await stale();
  const refused = await send(ben, ada, all);
  assertRefused(refused, insufficientBalance);
  assert.equal(await stale(), before + 1);
  await client.end();
});

test('entries are not appended to a changed history, even with equal numbers and sums', async () => {
  const [ada, ben] = [await platform.newMemberWith(10), await platform.newMemberWith(0)];
  await untilAtOnce(ada, ben);
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(`update wallet.account set hash = sha256(hash) where name = 'wallet:${ada.id}'`);
  await client.end();
  const [before, beforeAtOnce] = [await stale(), await atOnce()];
  assert.equal((await send(ada, ben)).status, 201);
  assert.deepEqual([await stale(), await atOnce()], [before + 1, beforeAtOnce]);
});

test('broken connections during many transfers lose and duplicate nothing', async () => {
  const { database, newMemberWith, databaseUrl } = await startPlatform({ LOG_LEVEL: 'silent' });
  const people = await Promise.all(Array.from({ length: 4 }, () => newMemberWith(10_000)));
  const killer = new pg.Client({ connectionString: databaseUrl });
  await killer.connect();
  let answered = 0;
  const sent: { description: string; status: number }[] = [];
  const storm = inLanes(600, 16, async (place: number) => {
    const [from, to] = [people[place % 4] as Member, people[(place + 1 + (place % 3)) % 4] as Member];
    const description = `transfer ${place}`;
    const { status } = await from.client.attempt(transferKeys, {
      body: {
        toUserId: to.id,
        amount: 1,
        description,
      },
    });
    sent.push({ description, status });
    answered++;
    if (answered % 150 === 0)
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'platform-api' and pid <> pg_backend_pid()`,
      );
  });
  await storm;
  await killer.end();
  const rows = await database.all<{ description: string; count: number }>(
    "select description, count(*) from wallet.transaction where type = 'transfer' group by 1",
  );
  const counts = new Map(rows.map(({ description, count }) => [description, count]));
  for (const { description, status } of sent) {
    if (status === 201) assert.equal(counts.get(description), 1, description);
    else {
      assert.equal(status, 503, description);
      assert.ok((counts.get(description) ?? 0) <= 1, description);
    }
  }
  assert.ok(sent.filter(({ status }) => status === 201).length > 200);
  assert.deepEqual(await ledgerFaults(database), []);
});
