import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareLedger } from '../../../../test/support/bare-ledger.ts';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { purchaseStore } from '../purchases/purchases.store.ts';
import { walletStore } from '../wallets/wallets.store.ts';
import { ledgerStore } from './ledger.store.ts';
import type { AccountName } from './postings.model.ts';

// What the statements about accounts, wallets and purchases lock, read and write, without a platform around them.

const { database } = await ownDatabase(4);
const { clock, newId, postIn, ensureAccount, balanceIn } = bareLedger(database);
const wallets = walletStore(database);
const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
const nameOf = (userId: ObjectId): AccountName => `wallet:${userId}`;

/** A member with a wallet of this many Keys, made a second after the last one. */
async function newMember(keys = 0): Promise<ObjectId> {
  clock.advance(1_000);
  const userId = newId();
  await within(async (tx) => {
    await ensureAccount(tx, 'wallet', userId);
    if (keys > 0) await fund(tx, userId, keys);
  });
  return userId;
}
const fund = (tx: Transaction, userId: ObjectId, amount: number) =>
  postIn(tx, {
    type: 'fund',
    status: 'completed',
    from: 'issued',
    to: nameOf(userId),
    fromUserId: null,
    toUserId: userId,
    amount,
    description: '',
    metadata: {},
  });

test('accounts are locked for a posting, or skipped where others hold them and nothing waits', async () => {
  const [ada, ben, nobody] = [await newMember(5), await newMember(), newId()];
  const names = [ada, ben, nobody].map(nameOf);
  const keeps = (work: (tx: Transaction) => unknown) =>
    keepsFromChange(database, work, 'wallet.account where name = $1', [nameOf(ada)]);
  assert.equal(await keeps((tx) => ledgerStore.lock(tx, names)), true);
  assert.equal(await keeps((tx) => ledgerStore.lockFree(tx, new Set(names))), true);
  assert.equal(await keeps((tx) => ledgerStore.read(tx, names)), false);
  const free = async () => {
    const { accounts, held } = await within((tx) => ledgerStore.lockFree(tx, new Set(names)));
    return [[...accounts.keys()].toSorted(), [...held]];
  };
  const both = [nameOf(ada), nameOf(ben)].toSorted();
  assert.deepEqual(await free(), [both, []]);
  const beside = await within(async (tx) => {
    await ledgerStore.lock(tx, [nameOf(ada)]);
    return free();
  });
  assert.deepEqual(beside, [[nameOf(ben)], [nameOf(ada)]]);
  const [state] = (await ledgerStore.read(database, [nameOf(ada)])).values();
  assert.deepEqual(
    [state?.balance, state?.lastSeq, state?.received, state?.isActive, state?.locked, state?.hash.length],
    [5, 1, 5n, true, false, 32],
  );
});

test('a turn belongs to one transaction until its end, and others wait for it no longer than a batch takes', async () => {
  const limitOf = (tx: Transaction) => tx.first<{ lock_timeout: string }>('show lock_timeout');
  const usual = await within(limitOf);
  const tooLong = await within(async (tx) => {
    await ledgerStore.takeTurn(tx);
    assert.deepEqual(await limitOf(tx), usual, 'other locks are waited for as usual');
    return within(ledgerStore.takeTurn).catch(({ code }: { code: string }) => code);
  });
  assert.equal(tooLong, '55P03');
  await within(ledgerStore.takeTurn);
});

test('an account is made once, and a missing one has no Keys', async () => {
  const userId = newId();
  const ensure = () => within((tx) => ensureAccount(tx, 'hold', userId));
  assert.deepEqual([await ensure(), await ensure()], [true, false]);
  const balanceOf = (from: AccountName) => within((tx) => balanceIn(tx, { from, to: 'issued' }));
  assert.deepEqual([await balanceOf(`hold:${userId}`), await balanceOf(nameOf(userId))], [0, 0]);
});

test('a purchase is recorded once, and counts what was taken back of it', async () => {
  const [one, other] = [newId(), newId()];
  const ada = await newMember();
  const add = (checkoutId: ObjectId) =>
    within(async (tx) => {
      const { id: transactionId } = await fund(tx, ada, 10);
      await purchaseStore.insert(tx, { checkoutId, transactionId, keys: 10 });
    });
  await add(one);
  await add(other);
  await assert.rejects(add(one));
  const lock = (checkoutId: ObjectId) => within((tx) => purchaseStore.lock(tx, checkoutId));
  for (const [returned, short] of [
    [4, 2],
    [-1, -1],
  ] as const)
    await within((tx) => purchaseStore.add(tx, one, { returned, short }));
  assert.deepEqual(
    [await lock(one), await lock(other)],
    [
      { keys: 10, returned: 3, short: 1 },
      { keys: 10, returned: 0, short: 0 },
    ],
  );
  await assert.rejects(lock(newId()), /no Keys were credited/);
  const rows = 'wallet.purchase where checkout_id = $1';
  assert.equal(await keepsFromChange(database, (tx) => purchaseStore.lock(tx, one), rows, [one]), true);
  const found = await purchaseStore.transactionsOf(database, [one, newId()]);
  assert.deepEqual(
    found.map(({ checkoutId }) => checkoutId),
    [one],
  );
});

test('the flags of a wallet change alone, and the reason of a lock goes with it', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const set = (flags: Parameters<typeof wallets.setFlags>[2], userId = ada) =>
    within((tx) => wallets.setFlags(tx, userId, flags, clock.date()));
  const open = { locked: false, lockedReason: null, isActive: true };
  assert.deepEqual(await set({ locked: true, lockedReason: 'check' }), open);
  assert.deepEqual(await set({ isActive: false }), { ...open, locked: true, lockedReason: 'check' });
  const closed = { locked: true, lockedReason: 'check', isActive: false };
  assert.deepEqual(await set({ lockedReason: 'other' }), closed);
  assert.deepEqual(await set({ locked: true }), { ...closed, lockedReason: 'other' });
  assert.deepEqual(await set({ locked: false }), { ...closed, lockedReason: 'other' });
  assert.deepEqual(await set({ isActive: true }), { ...open, isActive: false });
  assert.deepEqual(await set({ lockedReason: 'it is open' }), open);
  const [now, other] = await wallets.findAll([ada, ben]);
  assert.deepEqual(
    [now?.locked, now?.lockedReason, now?.isActive, other?.isActive],
    [false, undefined, true, true],
  );
  assert.equal(await set({ locked: true }, newId()), undefined);
});

test('wallets are found in the order that was asked, and listed newest first by flag', async () => {
  const [ada, ben, cat] = [await newMember(1), await newMember(2), await newMember(3)];
  const nobody = newId();
  const found = await wallets.findAll([cat, nobody, ada, cat]);
  assert.deepEqual(
    found.map((one) => one?.balance),
    [3, undefined, 1, 3],
  );
  await within((tx) => wallets.setFlags(tx, ada, { locked: true }, clock.date()));
  await within((tx) => wallets.setFlags(tx, ben, { isActive: false }, clock.date()));
  const list = async (filter: Parameters<typeof wallets.pageOf>[0]) =>
    (await wallets.pageOf(filter, { page: 1, limit: 99 })).items
      .map(({ userId }) => userId)
      .filter((id) => [ada, ben, cat].includes(id as ObjectId));
  assert.deepEqual(await list({}), [cat, ben, ada]);
  assert.deepEqual(await list({ locked: true }), [ada]);
  assert.deepEqual(await list({ locked: false }), [cat, ben]);
  assert.deepEqual(await list({ isActive: false }), [ben]);
  assert.deepEqual(await list({ isActive: true, locked: false }), [cat]);
  await within((tx) => ensureAccount(tx, 'hold', ada));
  assert.equal((await list({})).length, 3, 'what is held is no wallet');
  assert.deepEqual([await wallets.heldKeys(ada), await wallets.heldKeys(ben)], [0, 0]);
});

test('a past balance is that of the last entry until then, at the rate of then', async () => {
  const ada = await newMember(10);
  const first = clock.now();
  clock.advance(1_000);
  await within((tx) => fund(tx, ada, 5));
  await database.execute(
    `update wallet.exchange_rate set effective_to = $1 where currency = 'USD' and effective_to is null`,
    [new Date(first + 500)],
  );
  await database.execute(
    `insert into wallet.exchange_rate (id, currency, rate, effective_from, updated_by_email, notes)
     values ($1, 'USD', 0.5, $2, 'a', '')`,
    [newId(), new Date(first + 500)],
  );
  const at = async (ms: number) => {
    const { balance, balanceUSD } = (await wallets.balanceAt(ada, new Date(first + ms))) ?? assert.fail();
    return [balance, balanceUSD];
  };
  assert.deepEqual(
    [await at(-1), await at(0), await at(499)],
    [
      [0, 0],
      [10, 10],
      [10, 10],
    ],
  );
  assert.deepEqual(
    [await at(500), await at(999), await at(1_000), await at(9_999)],
    [
      [10, 5],
      [10, 5],
      [15, 7.5],
      [15, 7.5],
    ],
  );
  assert.equal(await wallets.balanceAt(newId(), clock.date()), undefined);
});
