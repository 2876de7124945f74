import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createWallet,
  createWalletAsAdmin,
  getBalance,
  listTransactions,
} from '../../../../sdk/src/index.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { userNotFound } from '../../identity/contract.ts';
import { walletNotFound } from '../contract.ts';

const platform = await startPlatform();
const { admin } = platform;

test('creating a wallet again returns the same wallet with 200', async () => {
  const ada = await platform.newMember();
  const [first, second] = [await ada.client.call(createWallet), await ada.client.call(createWallet)];
  assert.equal(first.status, 201);
  assert.equal(first.body.message, 'Wallet created successfully');
  assert.equal(second.status, 200);
  assert.deepEqual(second.data, first.data);
  const { _id, createdAt, updatedAt, ...rest } = first.data;
  assert.match(_id, /^[0-9a-f]{24}$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    userId: ada.id,
    balance: 0,
    balanceUSD: 0,
    currency: 'Keys',
    isActive: true,
    locked: false,
  });
});

test('the first answer is repeated under its Idempotency-Key, also to administrators', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const key = { 'idempotency-key': `wallet-of-${ada.id}` };
  const eager = ada.client.with(key);
  const answers = [await eager.call(createWallet), await eager.call(createWallet)];
  const eagerAdmin = admin.with(key);
  for (let time = 0; time < 2; time++)
    answers.push(await eagerAdmin.call(createWalletAsAdmin, { body: { userId: ben.id } }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  );
  assert.equal(answers[1]?.headers.get('idempotent-replayed'), 'true');
});

test('fifty concurrent creations make one wallet', async () => {
  const ada = await platform.newMember();
  const all = await Promise.all(
    Array.from({ length: 50 }, () => untilAvailable(() => ada.client.attempt(createWallet))),
  );
  assert.deepEqual(all.map(({ status }) => status).sort(), [...Array(49).fill(200), 201]);
  assert.equal(new Set(all.map(({ data }) => data?._id)).size, 1);
});

test('the balance in dollars is rounded half-up to cents at the current rate', async () => {
  const ada = await platform.newMemberWith(101);
  const rate = (value: string) =>
    platform.database.execute("update wallet.exchange_rate set rate = $1 where currency = 'USD'", [value]);
  await rate('0.105');
  const { data } = await ada.client.call(getBalance);
  await rate('1');
  // 10.605 is 10.61, not the 10.6 of a float.
  assert.deepEqual(data, {
    balance: 101,
    balanceUSD: 10.61,
    currency: 'Keys',
    locked: false,
    isActive: true,
  });
});

test('without a wallet the balance is 404 and the history empty', async () => {
  const ada = await platform.newMember();
  const balance = await ada.client.attempt(getBalance);
  assertRefused(balance, walletNotFound);
  const { data, body } = await ada.client.call(listTransactions);
  assert.deepEqual(data, []);
  assert.deepEqual(body.pagination, { page: 1, limit: 50, total: 0, pages: 0 });
});

test('an administrator creates a wallet for a member, and the audit log records it', async () => {
  const ada = await platform.newMember();
  const created = await admin.call(createWalletAsAdmin, { body: { userId: ada.id } });
  assert.equal(created.status, 201);
  assert.equal(created.data.userId, ada.id);
  const again = await admin.call(createWalletAsAdmin, { body: { userId: ada.id } });
  assert.deepEqual([again.status, again.data], [200, created.data]);
  const rows = await platform.database.all('select actor, action from kernel.audit_entry where target = $1', [
    ada.id,
  ]);
  assert.deepEqual(rows, [{ actor: platform.adminId, action: 'wallet.created' }]);
  const unknown = await admin.attempt(createWalletAsAdmin, { body: { userId: 'e'.repeat(24) } });
  assertRefused(unknown, userNotFound);
});

test('a locked wallet shows the reason', async () => {
  const ada = await platform.newMemberWith(0);
  await platform.database.execute(
    "update wallet.account set locked = true, locked_reason = 'Chargeback' where user_id = $1",
    [ada.id],
  );
  const { data } = await ada.client.call(createWallet);
  assert.deepEqual([data.locked, data.lockedReason], [true, 'Chargeback']);
});
