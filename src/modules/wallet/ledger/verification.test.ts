import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import {
  getLedgerVerification,
  getOverview,
  listAudit,
  listWithdrawals,
  settleWithdrawal,
  transferKeys,
  verifyLedger,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { circulationOf } from '../../../../test/support/circulation.ts';
import { until } from '../../../../test/support/live.ts';
import { SECRET_KEY, startPlatform } from '../../../../test/support/platform.ts';
import { startProgram } from '../../../../test/support/programs.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { neverVerified } from './verification.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { database } = platform;
await platform.standIn('payments', { payouts: 'hold' });
const { verify } = platform.platform.wallet;

const ada = await platform.newMember();
const ben = await platform.newMemberWith(50);
await platform.pay((await platform.checkout(ada, 100)).link);
await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 30, description: 'Thanks' } });
for (const amount of [5, 6]) await ada.client.call(withdrawKeys, { body: { amount } });
const [withdrawal] = (await platform.admin.call(listWithdrawals)).data;
assert.ok(withdrawal);
await platform.admin.call(settleWithdrawal, {
  params: { transactionId: withdrawal.transactionId },
  body: { outcome: 'completed' },
});

test('administrators can have the ledger verified, and read the result', async () => {
  const never = await platform.admin.attempt(getLedgerVerification);
  assertRefused(never, neverVerified);
  const proof = async () => (await platform.admin.call(getOverview)).data.ledger;
  assert.equal(await proof(), null);
  const { status } = await platform.admin.call(verifyLedger, { body: { reason: 'An odd balance' } });
  assert.equal(status, 202);
  await until(
    async () => (await platform.admin.attempt(getLedgerVerification)).status === 200,
    'the verification',
  );
  const { data } = await platform.admin.call(getLedgerVerification);
  assert.deepEqual([data.sound, data.broken], [true, []]);
  assert.deepEqual(await proof(), { at: data.at, sound: true });
  assert.match(data.head, /^[0-9a-f]{64}$/);
  assert.ok(data.transactions >= 5 && data.entries > data.transactions);
  assert.deepEqual([data.issued, data.inCirculation], [150, 144], 'six were paid out');
  assert.equal(data.issued, await circulationOf(database), 'the number that is limited');
  const { data: log } = await platform.admin.call(listAudit, {
    query: { action: 'ledger.verification-requested' },
  });
  assert.deepEqual(
    log.map(({ reason }) => reason),
    ['An odd balance'],
  );
});

/** Changes rows as an attacker with full access to the database could: triggers are disabled. */
async function tamper(text: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const tables = ['account', 'entry', 'transaction', 'purchase'];
  for (const table of tables) await client.query(`create temp table kept_${table} as table wallet.${table}`);
  await client.query('set session_replication_role = replica');
  const { rowCount } = await client.query(text);
  assert.ok(rowCount, text);
  return async () => {
    for (const table of tables) {
      const { rows } = await client.query(
        `select string_agg(quote_ident(attname), ',') as columns from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [`wallet.${table}`],
      );
      const { columns } = rows[0];
      await client.query(`delete from wallet.${table}`);
      await client.query(`insert into wallet.${table} (${columns}) select ${columns} from kept_${table}`);
    }
    await client.end();
  };
}
const LAST = `(select max(seq) from wallet.entry where account_id = account.id)`;
const ADA = `select id from wallet.account where name = 'wallet:${ada.id}'`;

test('verification reports a sound ledger with its totals', async () => {
  const { faults, entries, transactions, issued, inCirculation, head } = await verify();
  assert.deepEqual(faults, []);
  const rows = await database.all(
    'select (select count(*) from wallet.entry) as entries, (select count(*) from wallet.transaction) as transactions',
  );
  assert.deepEqual([entries, transactions], [rows[0]?.entries, rows[0]?.transactions]);
  assert.deepEqual([issued, inCirculation], [150, 144]);
  assert.match(head, /^[0-9a-f]{64}$/);
  assert.equal((await verify()).head, head);
});

const TAMPERINGS: Record<string, [string, RegExp]> = {
  'a balance written by hand': [
    `update wallet.account set balance = balance + 1 where id = (${ADA})`,
    /what an account holds/,
  ],
  'the sum of what came in': [
    `update wallet.account set received = 0 where id = (${ADA})`,
    /what an account holds/,
  ],
  'an amount in the past': [
    `update wallet.entry set amount = amount + 1, balance_after = balance_after + 1, received = received + 1
     where account_id = (${ADA}) and seq = 1`,
    /sum to zero/,
  ],
  'an entry that is gone': [
    `delete from wallet.entry where account_id = (${ADA}) and seq = 2`,
    /sum to zero|without a break or a gap/,
  ],
  'a whole transaction that is gone': [
    `with gone as (delete from wallet.transaction where type = 'transfer' returning id)
     delete from wallet.entry using gone where transaction_id = gone.id`,
    /without a break or a gap/,
  ],
  'who received, in a transaction of the past': [
    `update wallet.transaction set to_user_id = repeat('a', 24) where type = 'transfer'`,
    /as it was hashed/,
  ],
  'a description': [
    `update wallet.transaction set description = 'x' where type = 'transfer'`,
    /as it was hashed/,
  ],
  metadata: [
    `update wallet.transaction set metadata = '{"x":1}' where type = 'transfer'`,
    /as it was hashed/,
  ],
  'when it was': [
    `update wallet.transaction set created_at = created_at - interval '1 day' where type = 'transfer'`,
    /as it was hashed/,
  ],
  'the type of an entry': [
    `update wallet.entry set type = 'refund' where type = 'fund'`,
    /of its type and amount/,
  ],
  'the running number of a funding': [
    `update wallet.entry set type_seq = type_seq + 1 where type = 'fund'`,
    /running numbers/,
  ],
  'the running sum of withdrawals': [
    `update wallet.entry set type_sum = type_sum - 1 where type = 'withdrawal' and account_id = (${ADA})`,
    /running numbers/,
  ],
  'the newest entry of an account, its balance set to match': [
    `with gone as (delete from wallet.entry using wallet.account
       where account_id = account.id and seq = ${LAST} returning account_id)
     update wallet.account set last_seq = last_seq - 1,
       balance = coalesce((select balance_after from wallet.entry where account_id = id and seq = last_seq - 1), 0),
       received = coalesce((select received from wallet.entry where account_id = id and seq = last_seq - 1), 0)
     where id in (select account_id from gone)`,
    /as it was hashed|sum to zero/,
  ],
  'a pending withdrawal called completed': [
    `update wallet.transaction set status = 'completed', processed_at = now() where type = 'withdrawal' and status = 'pending'`,
    /pending withdrawals hold/,
  ],
  'a completed one called failed': [
    `update wallet.transaction set status = 'failed' where type = 'withdrawal' and status = 'completed'`,
    /in circulation/,
  ],
  'a purchase of more Keys than were funded': [`update wallet.purchase set keys = keys + 1`, /each purchase/],
  'a transaction of nothing': [
    `insert into wallet.transaction (id, type, status, amount, created_at) values (repeat('e', 24), 'fund', 'completed', 5, now())`,
    /each transaction has entries/,
  ],
};

for (const [what, [text, invariant]] of Object.entries(TAMPERINGS)) {
  test(`shown: ${what}`, async () => {
    const restore = await tamper(text);
    const { faults } = await verify();
    assert.ok(
      faults.some((fault) => invariant.test(fault.invariant) && fault.at.length > 0),
      JSON.stringify(faults),
    );
    await restore();
  });
}

test('a rewritten history has another head hash', async () => {
  const { head } = await verify();
  const restore = await tamper("update wallet.account set hash = sha256(hash) where kind = 'wallet'");
  assert.notEqual((await verify()).head, head);
  await restore();
  assert.equal((await verify()).head, head);
});

test('the nightly verification stores its result for the metrics', async () => {
  await platform.platform.runJob('wallet.verify');
  const metrics = await (await fetch(`${platform.url}/metrics`)).text();
  assert.match(metrics, /^ledger_broken_invariants 0$/m);
  assert.match(metrics, /^ledger_verified_whole_timestamp_seconds \d+/m);
  const restore = await tamper(`update wallet.account set balance = balance + 1 where id = (${ADA})`);
  await platform.platform.runJob('wallet.verify');
  assert.match(await (await fetch(`${platform.url}/metrics`)).text(), /^ledger_broken_invariants [1-9]$/m);
  await restore();
  await assert.rejects(database.execute('delete from wallet.verification'), /append-only/);
});

test('the verify command reports a broken ledger and exits with 1', async () => {
  const run = () =>
    startProgram(['src/main.js', 'verify'], {
      DATABASE_URL: platform.databaseUrl,
      SECRET_KEY,
      PORT: '0',
    }).then(
      () => ({ code: -1, output: '' }),
      (error: Error) => ({
        code: Number(/ended with (\d+)/.exec(error.message)?.[1]),
        output: error.message,
      }),
    );
  const sound = await run();
  assert.equal(sound.code, 0, sound.output);
  const restore = await tamper(`update wallet.account set balance = balance + 1 where id = (${ADA})`);
  assert.equal((await run()).code, 1);
  await restore();
});
