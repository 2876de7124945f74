import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeWallet,
  createWallet,
  deleteUser,
  getBalance,
  getWalletAsAdmin,
  listAudit,
  listWallets,
  listWithdrawals,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { invalidUserId } from '../../indicators/webhooks/failures.ts';
import { walletNotFound } from '../contract.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await platform.newMemberWith(10);
const ben = await platform.newMemberWith(20);
const change = (id: string, body: object) => admin.attempt(changeWallet, { params: { userId: id }, body });
const idsOf = async (query: TypesOf<typeof listWallets>['query'] = {}): Promise<(string | null)[]> =>
  (await admin.call(listWallets, { query })).data.map(({ userId }) => userId);

test('locking and unlocking a wallet is recorded with its reason', async () => {
  const { status, data } = await change(ada.id, { locked: true, lockedReason: 'Disputed payment' });
  assert.equal(status, 200);
  assert.deepEqual(
    [data?.locked, data?.lockedReason, data?.isActive, data?.balance],
    [true, 'Disputed payment', true, 10],
  );
  assert.equal((await ada.client.call(getBalance)).data.locked, true);
  const again = await change(ada.id, { isActive: false });
  assert.deepEqual(
    [again.data?.locked, again.data?.lockedReason, again.data?.isActive],
    [true, 'Disputed payment', false],
  );
  const unlocked = (await change(ada.id, { locked: false, isActive: true })).data;
  assert.deepEqual(
    [unlocked?.locked, unlocked?.isActive, 'lockedReason' in (unlocked ?? {})],
    [false, true, false],
  );
  const { data: log } = await admin.call(listAudit, { query: { action: 'wallet.changed', target: ada.id } });
  assert.deepEqual(log.map(({ details }) => details).reverse(), [
    { locked: true, lockedReason: 'Disputed payment' },
    { isActive: false },
    { locked: false, isActive: true },
  ]);
});

test('only the flags of an existing wallet can be changed', async () => {
  const { data } = await change(ben.id, { balance: 1_000_000, userId: ada.id, kind: 'issued' });
  assert.deepEqual([data?.balance, data?.userId], [20, ben.id]);
  assertInvalid(await change(ben.id, { locked: 'yes' }));
  assertRefused(await change('nobody', { locked: true }), invalidUserId);
  assertRefused(await change('f'.repeat(24), { locked: 1 }), walletNotFound, '404 before 422');
});

test('administrators list wallets newest first, by flag and page', async () => {
  assert.deepEqual(await idsOf(), [ben.id, ada.id]);
  assert.deepEqual(await idsOf({ limit: 1, page: 2 }), [ada.id]);
  await change(ada.id, { locked: true });
  await change(ben.id, { isActive: false });
  assert.deepEqual(await idsOf({ locked: true }), [ada.id]);
  assert.deepEqual(await idsOf({ locked: false }), [ben.id]);
  assert.deepEqual(await idsOf({ isActive: false }), [ben.id]);
  assert.deepEqual(await idsOf({ isActive: true, locked: false }), []);
  const { body } = await admin.call(listWallets, { query: { limit: 1000 } });
  assert.deepEqual(body.pagination, { page: 1, limit: 100, total: 2, pages: 1, totalIsExact: true });
  const [newest] = body.data;
  assert.deepEqual(await idsOf({ before: `${newest?.createdAt}_${newest?._id}` }), [ada.id]);
  for (const before of [newest?._id, `2026-13-01T00:00:00.000Z_${newest?._id}`])
    assertInvalid(await admin.raw('GET', `/v1/wallets/all?before=${before}`));
  assertInvalid(await admin.raw('GET', '/v1/wallets/all?locked=perhaps'));
  assert.equal(body.data[0]?.currency, 'Keys');
});

test('a wallet that is locked without a reason shows an empty one', async () => {
  const eve = await platform.newMemberWith(1);
  const { data } = await change(eve.id, { locked: true });
  assert.deepEqual([data?.locked, data?.lockedReason], [true, '']);
  assert.equal((await eve.client.call(createWallet)).data.lockedReason, '');
});

test('a change of a wallet that changes nothing writes nothing', async () => {
  const eve = await platform.newMemberWith(1);
  const { data: locked } = await change(eve.id, { locked: true, lockedReason: 'check' });
  platform.clock.advance(60_000);
  for (const body of [{}, { locked: true }, { lockedReason: 'check' }, { isActive: true }])
    assert.deepEqual((await change(eve.id, body)).data, locked, JSON.stringify(body));
  const { data: unlocked } = await change(eve.id, { locked: false });
  assert.deepEqual((await change(eve.id, { lockedReason: 'never locked' })).data, unlocked);
  const { data: log } = await admin.call(listAudit, { query: { action: 'wallet.changed', target: eve.id } });
  assert.deepEqual(
    log.map(({ details }) => details),
    [{ locked: false }, { locked: true, lockedReason: 'check' }],
  );
});

test('a wallet shows its flags, held Keys, pending withdrawals and owner', async () => {
  await platform.standIn('payments', { payouts: 'hold' });
  const eve = await platform.newMemberWith(50);
  const { data } = await eve.client.call(withdrawKeys, { body: { amount: 20, description: 'Rent' } });
  await change(eve.id, { locked: true, lockedReason: 'check' });
  const { status, data: wallet } = await admin.call(getWalletAsAdmin, { params: { userId: eve.id } });
  assert.equal(status, 200);
  assert.deepEqual(
    [wallet.userId, wallet.balance, wallet.heldKeys, wallet.locked, wallet.lockedReason, wallet.isActive],
    [eve.id, 30, 20, true, 'check', true],
  );
  assert.deepEqual(
    wallet.pendingWithdrawals.map((row) => [row.transactionId, row.amount, row.status]),
    [[data.transaction.transactionId, 20, 'pending']],
  );
  assert.deepEqual(wallet.owner, {
    id: eve.id,
    name: 'Test Member',
    userId: eve.id,
    email: eve.email,
    firstName: 'Test',
    lastName: 'Member',
  });
});

test('a malformed id is 400, and an unknown member or one without a wallet 404', async () => {
  const none = await platform.newMember();
  const answers = await Promise.all(
    ['xyz', 'f'.repeat(24), none.id].map((id) => admin.attempt(getWalletAsAdmin, { params: { userId: id } })),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.message]),
    [
      [400, 'Invalid user ID'],
      [404, 'User not found'],
      [404, 'Wallet not found'],
    ],
  );
});

test('wallets and withdrawals name their owner, which is null for a deleted person', async () => {
  const gone = await platform.newMemberWith(10);
  const { data: withdrawal } = await gone.client.call(withdrawKeys, { body: { amount: 5 } });
  const rowsOf = async () => {
    const [wallets, withdrawals] = await Promise.all([
      admin.call(listWallets, { query: { limit: 100 } }),
      admin.call(listWithdrawals, { query: { limit: 100 } }),
    ]);
    const { transactionId } = withdrawal.transaction;
    return [
      wallets.data.find(({ userId }) => userId === gone.id),
      withdrawals.data.find((row) => row.transactionId === transactionId),
    ];
  };
  const owner = {
    id: gone.id,
    name: 'Test Member',
    userId: gone.id,
    email: gone.email,
    firstName: 'Test',
    lastName: 'Member',
  };
  assert.deepEqual(
    (await rowsOf()).map((row) => row?.owner),
    [owner, owner],
  );
  const deletion = { params: { userId: gone.id }, body: { remainingKeys: 'forfeit' as const } };
  assert.equal((await admin.call(deleteUser, deletion)).status, 200);
  assert.deepEqual(
    (await rowsOf()).map((row) => row?.owner),
    [null, null],
  );
  assert.equal((await admin.call(getWalletAsAdmin, { params: { userId: gone.id } })).data.owner, null);
});
