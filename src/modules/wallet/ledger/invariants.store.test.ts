import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  listTransactions,
  reverseTransaction,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { FALSIFICATIONS, ledgerPlaces } from '../../../../test/support/ledger-falsifications.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { FRESH_INVARIANTS, FRESH_TRANSACTIONS, INVARIANTS } from './invariants.store.ts';

// Which invariants each falsification breaks, in the whole ledger and in what is beyond the proven heads.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
await platform.standIn('payments', { payouts: 'hold' });
const [ada, ben] = [await platform.newMemberWith(1_000), await platform.newMemberWith(50)];
/** Has no entries beyond the proven heads. */
const cat = await platform.newMemberWith(2);
/** Has a wallet without any entry. */
const dan = await platform.newMemberWith(0);
const send = (amount: number) => ada.client.call(transferKeys, { body: { toUserId: ben.id, amount } });
const withdraw = async (amount: number) =>
  (await ada.client.call(withdrawKeys, { body: { amount } })).data.transaction.transactionId;

/** One transaction of each kind, of members who have others of it as well. */
async function trade(): Promise<void> {
  await send(5);
  await send(7);
  await withdraw(11);
  const ended = await withdraw(13);
  await admin.call(settleWithdrawal, {
    params: { transactionId: ended },
    body: { outcome: 'completed', reason: 'In cash' },
  });
  const cancelled = await withdraw(17);
  await admin.call(settleWithdrawal, {
    params: { transactionId: cancelled },
    body: { outcome: 'cancelled', reason: 'A mistake' },
  });
  const { link } = await platform.checkout(ben, 19);
  const before = await database.count('select count(*) from wallet.purchase');
  await platform.pay(link);
  await until(
    async () => (await database.count('select count(*) from wallet.purchase')) > before,
    'the Keys',
  );
  const { data: mistake } = await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 9 } });
  const { transactionId } = mistake.transaction;
  await admin.call(reverseTransaction, { params: { transactionId }, body: { reason: 'A mistake' } });
}
await trade();
await platform.platform.runJob('wallet.verify');
await trade();
await platform.newMemberWith(3);
/** Somebody who gives Keys up, and somebody whose Keys an administrator takes back. */
const [leaving, mistaken] = [await platform.newMemberWith(4), await platform.newMemberWith(6)];
await admin.call(deleteUser, { params: { userId: leaving.id }, body: { remainingKeys: 'forfeit' } });
const [funding] = (await mistaken.client.call(listTransactions)).data;
await admin.call(reverseTransaction, {
  params: { transactionId: funding?.transactionId ?? '' },
  body: { reason: 'A mistake' },
});
/** The transactions of one round of trade, and those of the other three members. */
const NEWER = 14;

/** A word for each invariant. */
const WORDS: Record<string, string> = {
  sum: 'the entries of each transaction sum to zero',
  rows: 'each transaction has entries, all of its type and amount',
  account: 'what an account holds and has received is what its entries say',
  chain: 'before and after chain without a break or a gap',
  numbers: 'running numbers of what is no transfer are what one counts',
  hash: 'history is as it was hashed',
  negative: 'only the source of Keys is below zero',
  held: 'what is held is what pending withdrawals hold',
  circulation: 'Keys in circulation are those funded less those withdrawn or refunded',
  balances: 'all balances sum to zero',
  purchase: 'each purchase is one funding of its Keys',
  returned: 'what purchases gave back is what refunds of payments took, less what they brought back',
  reversal: 'each reversal moves back what its transaction moved, less what was short',
  proven: 'history up to the last proof is as it was proven',
};
/** Returns the words of the broken invariants. */
async function brokenIn(tx: Transaction, invariants: Record<string, string>): Promise<string> {
  const broken: string[] = [];
  for (const [word, name] of Object.entries(WORDS))
    if (invariants[name] && (await tx.all(invariants[name])).length > 0) broken.push(word);
  return broken.join(' ');
}
class Undone extends Error {}
const WITHOUT_CHECKS = `do $$ declare one record; begin
  for one in select conrelid::regclass as of_table, conname as name from pg_constraint
    where contype = 'c' and conislocal and conrelid::regclass::text like 'wallet.%'
  loop execute format('alter table %s drop constraint %I', one.of_table, one.name); end loop;
end $$`;

/** Falsifies rows as somebody with full access could, and undoes it; returns what the invariants find meanwhile. */
async function falsified(...texts: string[]): Promise<[whole: string, fresh: string]> {
  let found: [string, string] = ['', ''];
  const undone = database.transaction(async (tx) => {
    await tx.execute(WITHOUT_CHECKS);
    await tx.execute('set local session_replication_role = replica');
    for (const text of texts) assert.ok((await tx.execute(text)) > 0, text);
    found = [await brokenIn(tx, INVARIANTS), await brokenIn(tx, FRESH_INVARIANTS)];
    throw new Undone();
  });
  await assert.rejects(undone, Undone);
  return found;
}

const ADA = `(select id from wallet.account where name = 'wallet:${ada.id}')`;
const CAT = `name = 'wallet:${cat.id}'`;
const ofDan = (changes: string) => [`update wallet.account set ${changes} where name = 'wallet:${dan.id}'`];
const placesOf = (order: 'asc' | 'desc') => ledgerPlaces(ADA, order);

for (const [what, [of, whole, fresh = whole]] of Object.entries(FALSIFICATIONS))
  test(`it is found, in the whole ledger and beyond the proven heads: ${what}`, async () => {
    assert.deepEqual(await falsified(of(placesOf('desc'))), [whole, fresh]);
    assert.deepEqual(await falsified(of(placesOf('asc'))), [whole, ''], 'of what is proven');
  });

const COUNTER = `id = (select max(id) from wallet.transaction where to_user_id is not null
  and id in (select counter_id from wallet.reversal))`;
const HEAD = `seq = (select seq from wallet.proven_head where account_id = ${ADA})`;
/** What is falsified of accounts and the like, and what it breaks of the whole and of newer entries. */
const OTHERS: Record<string, [texts: string[], whole: string, fresh: string]> = {
  nothing: [['update wallet.account set balance = balance'], '', ''],
  'the place of a new entry': [
    [`update wallet.entry set seq = seq + 1000 where ${placesOf('desc').transfer}`],
    'chain hash',
    'chain hash',
  ],
  'the place of a proven entry': [
    [`update wallet.entry set seq = seq + 1000 where ${placesOf('asc').transfer}`],
    'chain hash',
    'sum account chain hash',
  ],
  'the amount of a reversed transfer': [
    [`update wallet.transaction set amount = amount + 1 where id = ${placesOf('desc').transferId}`],
    'rows hash reversal',
    'rows hash',
  ],
  'a pending withdrawal that is completed': [
    [
      `update wallet.transaction set status = 'completed', processed_at = created_at where id = ${placesOf('desc').pending}`,
    ],
    'held circulation',
    'held',
  ],
  'a balance': [
    [`update wallet.account set balance = balance + 1 where id = ${ADA}`],
    'account circulation balances',
    'account balances',
  ],
  'two balances at once': [
    [
      `update wallet.account set balance = balance + 1 where id = ${ADA}`,
      `update wallet.account set balance = balance - 1 where name = 'wallet:${ben.id}'`,
    ],
    'account',
    'account',
  ],
  'a balance below zero': [
    [`update wallet.account set balance = -1 where id = ${ADA}`],
    'account negative circulation balances',
    'account negative balances',
  ],
  'what is held without a withdrawal': [
    [`update wallet.account set balance = balance + 1 where kind = 'hold'`],
    'account held circulation balances',
    'account held balances',
  ],
  'the source of Keys': [
    [`update wallet.account set balance = balance + 1 where kind = 'issued'`],
    'account balances',
    'account balances',
  ],
  'how many entries an account has': [
    [`update wallet.account set last_seq = last_seq + 1 where id = ${ADA}`],
    'account hash',
    'account hash',
  ],
  'what an account has received': [
    [`update wallet.account set received = received + 1 where id = ${ADA}`],
    'account',
    'account',
  ],
  'the hash of an account': [
    [`update wallet.account set hash = sha256(hash) where id = ${ADA}`],
    'hash',
    'hash',
  ],
  'an account that is gone': [
    [`delete from wallet.account where id = ${ADA}`],
    'circulation balances',
    'sum account balances',
  ],
  'the balance of an account without newer entries': [
    [`update wallet.account set balance = balance + 1 where ${CAT}`],
    'account circulation balances',
    'account balances',
  ],
  'how many entries an account without newer ones has': [
    [`update wallet.account set last_seq = last_seq + 1 where ${CAT}`],
    'account hash',
    'account hash',
  ],
  'what an account without newer entries has received': [
    [`update wallet.account set received = received - 1 where ${CAT}`],
    'account',
    'account',
  ],
  'the hash of an account without newer entries': [
    [`update wallet.account set hash = sha256(hash) where ${CAT}`],
    'hash',
    'account',
  ],
  'an empty balance': [ofDan('balance = balance + 1'), 'account circulation balances', 'account balances'],
  'the number of no entries': [ofDan('last_seq = last_seq + 1'), 'account', 'account hash'],
  'what was never received': [ofDan('received = received + 1'), 'account', 'account'],
  'the hash of no entries': [ofDan('hash = sha256(hash)'), 'hash', 'account'],
  'what a purchase gave back': [
    [`update wallet.purchase set returned = returned + 1 where ${placesOf('asc').purchase}`],
    'returned',
    '',
  ],
  'the type of a purchase': [
    [
      "update wallet.transaction set type = 'transfer' where id = (select max(transaction_id) from wallet.purchase)",
    ],
    'rows hash circulation purchase',
    'rows hash',
  ],
  'what a reversal was short of': [['update wallet.reversal set short = short + 1'], 'reversal', ''],
  'who got the Keys of a reversal': [
    [`update wallet.transaction set to_user_id = null where ${COUNTER}`],
    'hash reversal',
    'hash',
  ],
  'the Keys of a reversal': [
    [`update wallet.transaction set amount = amount + 1 where ${COUNTER}`],
    'rows hash reversal',
    'rows hash',
  ],
  'a transaction without entries': [
    [
      `insert into wallet.transaction (id, type, status, amount, created_at)
       values (repeat('e', 24), 'fund', 'completed', 5, now())`,
    ],
    'rows circulation',
    '',
  ],
  'a proven balance': [
    [`update wallet.proven_head set balance = balance + 1 where account_id = ${ADA}`],
    'proven',
    'account chain',
  ],
  'a proven sum of what came in': [
    [`update wallet.proven_head set received = received + 1 where account_id = ${ADA}`],
    'proven',
    'account chain',
  ],
  'a proven hash': [
    [`update wallet.proven_head set hash = sha256(hash) where account_id = ${ADA}`],
    'proven',
    'hash proven',
  ],
  'a proven number of entries': [
    [`update wallet.proven_head set seq = seq - 1 where account_id = ${ADA}`],
    'proven',
    'sum account chain hash proven',
  ],
  'the hash at a proven head': [
    [`update wallet.entry set hash = sha256(hash) where account_id = ${ADA} and ${HEAD}`],
    'hash proven',
    'proven',
  ],
};

test('what is falsified of accounts, proofs, purchases and reversals breaks these invariants', async () => {
  for (const [what, [texts, whole, fresh]] of Object.entries(OTHERS))
    assert.deepEqual(await falsified(...texts), [whole, fresh], what);
});

test('the transactions beyond the proven heads are counted once each', async () => {
  assert.equal(await database.count(FRESH_TRANSACTIONS), NEWER);
});
