import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { getLedgerVerification, transferKeys, withdrawKeys } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { headsIn } from './proven-heads.store.ts';
import { verifyLedger } from './verification.store.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { clock, database } = platform;
await platform.standIn('payments', { payouts: 'hold' });
const ada = await platform.newMemberWith(1_000);
const ben = await platform.newMemberWith(50);
const accountOf = (userId: string) => `(select id from wallet.account where name = 'wallet:${userId}')`;

const send = (amount: number) =>
  ada.client.call(transferKeys, { body: { toUserId: ben.id, amount, description: 'Thanks' } });
/** Verifies as the nightly job does. */
async function nightly() {
  await platform.platform.runJob('wallet.verify');
  const [row] = await database.all<{ isWhole: boolean; faults: { invariant: string }[] }>(
    'select is_whole, faults, entries, transactions from wallet.verification order by id desc limit 1',
  );
  assert.ok(row);
  return { isWhole: row.isWhole, faults: row.faults.map(({ invariant }) => invariant) };
}
const SINCE = { isWhole: false, faults: [] };
const WHOLE = { isWhole: true, faults: [] };

/** Changes rows as an attacker with full access to the database could: triggers are disabled. */
async function tamper(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const { rowCount } = await client.query(text);
  await client.end();
  assert.ok(rowCount, text);
}

test('the first verification reads the whole ledger, the next ones what came since, with the same figures', async () => {
  await send(1);
  assert.deepEqual(await nightly(), WHOLE);
  await send(2);
  await ada.client.call(withdrawKeys, { body: { amount: 3 } });
  await platform.newMemberWith(7);
  assert.deepEqual(await nightly(), SINCE);
  const [stored] = await database.all(
    `select entries, transactions, head from wallet.verification order by id desc limit 1`,
  );
  const whole = await platform.platform.wallet.verify();
  assert.deepEqual(stored, { entries: whole.entries, transactions: whole.transactions, head: whole.head });
  assert.deepEqual(await nightly(), SINCE, 'nothing came since');
  const { data } = await platform.admin.attempt(getLedgerVerification);
  assert.deepEqual([data?.scope, data?.sound], ['since-last-proof', true]);
  assert.ok(data?.wholeAt && data.wholeAt < data.at);
});

const NEWEST = `account_id = ${accountOf(ada.id)} and seq = (select max(seq) from wallet.entry where account_id = ${accountOf(ada.id)})`;
/** Each with what undoes it. */
const FRESH: Record<string, [string, string]> = {
  'the amount of an entry': [
    `update wallet.entry set amount = amount + 1, balance_after = balance_after + 1 where ${NEWEST}`,
    `update wallet.entry set amount = amount - 1, balance_after = balance_after - 1 where ${NEWEST}`,
  ],
  'a description': [
    `update wallet.transaction set description = 'x' where id = (select transaction_id from wallet.entry where ${NEWEST})`,
    `update wallet.transaction set description = 'Thanks' where id = (select transaction_id from wallet.entry where ${NEWEST})`,
  ],
  'a balance': [
    `update wallet.account set balance = balance + 1 where id = ${accountOf(ben.id)}`,
    `update wallet.account set balance = balance - 1 where id = ${accountOf(ben.id)}`,
  ],
  'a balance of an account without newer entries': [
    `update wallet.account set balance = balance + 1 where name = 'withdrawn'`,
    `update wallet.account set balance = balance - 1 where name = 'withdrawn'`,
  ],
  'the sum of what came in': [
    `update wallet.entry set received = received + 1 where ${NEWEST}`,
    `update wallet.entry set received = received - 1 where ${NEWEST}`,
  ],
};

for (const [what, [change, undo]] of Object.entries(FRESH))
  test(`what is changed beyond the proven heads is found the same night: ${what}`, async () => {
    await send(2);
    await tamper(change);
    const found = await nightly();
    assert.ok(found.faults.length > 0);
    assert.ok((await nightly()).isWhole, 'after a fault the whole ledger is verified until it is sound');
    await tamper(undo);
    assert.deepEqual(await nightly(), WHOLE);
    assert.deepEqual(await nightly(), SINCE);
  });

test('what is changed in a proven entry is found once a week, and stays found until it is mended', async () => {
  await nightly();
  const old = `account_id = ${accountOf(ada.id)} and seq = 2`;
  await tamper(`update wallet.entry set created_at = created_at - interval '1 millisecond' where ${old}`);
  for (let night = 1; night <= 6; night++) {
    clock.advance(DAY_MS);
    assert.deepEqual(await nightly(), SINCE, `night ${night}`);
  }
  clock.advance(DAY_MS);
  const found = await nightly();
  assert.ok(found.isWhole && found.faults.includes('history is as it was hashed'));
  clock.advance(DAY_MS);
  assert.ok((await nightly()).faults.length > 0, 'the next night does not hide it');
  await tamper(`update wallet.entry set created_at = created_at + interval '1 millisecond' where ${old}`);
  assert.deepEqual(await nightly(), WHOLE);
});

test('a history that was rewritten with all its hashes is found, because it differs from what was proven', async () => {
  const account = accountOf(ben.id);
  await tamper(`update wallet.entry set hash = sha256(hash) where account_id = ${account}`);
  await tamper(
    `update wallet.account set hash = (select hash from wallet.entry where account_id = account.id and seq = last_seq) where id = ${account}`,
  );
  assert.ok(
    (await nightly()).faults.includes('what an account holds and has received is what its entries say'),
  );
  assert.ok((await nightly()).faults.includes('history up to the last proof is as it was proven'));
});

test('the heads of more accounts than are read at once are read in portions, each once', async () => {
  const asked: unknown[] = [];
  /** Reads heads of as many accounts. */
  async function read(accounts: number): Promise<number[]> {
    asked.length = 0;
    const all = async (_statement: unknown, [after, limit]: [string, number]) => {
      asked.push(after);
      const from = after === '' ? 1 : Number(after) + 1;
      const count = Math.min(limit, accounts - from + 1);
      return Array.from({ length: count }, (_, place) => ({ accountId: String(from + place) }));
    };
    const portions: number[] = [];
    for await (const heads of headsIn({ all } as never)) portions.push(heads.length);
    return portions;
  }
  assert.deepEqual([await read(0), asked.length], [[], 1]);
  assert.deepEqual([await read(3), asked.length], [[3], 1]);
  assert.deepEqual(await read(10_001), [10_000, 1]);
  assert.deepEqual(asked, ['', '10000']);
  assert.deepEqual([await read(10_000), asked.length], [[10_000], 2]);
});

test('the heads to be proven are those that are not, however few, and none after a fault', async () => {
  /** Verifies a ledger of two accounts, of which one has newer entries; returns the heads to be proven. */
  async function toProve(faults: object[]): Promise<unknown[]> {
    const heads = [true, false].map((isProven, place) => ({
      accountId: String(place),
      hash: Buffer.from('h'),
      isProven,
    }));
    const queries = {
      all: async (statement: unknown) => (typeof statement === 'string' ? faults : heads),
      first: async () => ({}),
      count: async () => 1,
    };
    const noted: unknown[] = [];
    await verifyLedger({ snapshot: async (work: CallableFunction) => work(queries) } as never, {
      onHeads: async (some) => void noted.push(some.map(({ accountId }) => accountId)),
    });
    return noted;
  }
  assert.deepEqual(await toProve([]), [['1']]);
  assert.deepEqual(await toProve([{ at: 'somewhere' }]), []);
});
