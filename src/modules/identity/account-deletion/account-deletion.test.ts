import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelWithdrawal,
  changeWallet,
  deleteOwnAccount,
  getBalance,
  getMember,
  getProfile,
  getStatement,
  getUser,
  listAudit,
  listWithdrawals,
  refreshToken,
  signIn,
  signUp,
  transferKeys,
  type wire,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { LiveClient, until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { stopClock } from '../../../../test/support/stopped-clock.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { walletLocked, walletNotEmpty, withdrawalPending } from '../../wallet/contract.ts';
import { lastAdministrator } from '../accounts/accounts.ts';
import { userNotFound } from '../contract.ts';
import { wrongPassword } from '../passwords/password-proof.ts';

const platform = await startPlatform();
const { admin, client, database } = platform;

const leave = ({ client }: Pick<Member, 'client'>, body: Partial<wire.DeleteOwnAccountBody> = {}) =>
  client.attempt(deleteOwnAccount, { body: { password: PASSWORD, ...body } });
const walletOf = (userId: string) =>
  database.first<{ balance: number; isActive: boolean }>(
    `select balance, is_active from wallet.account where name = 'wallet:' || $1`,
    [userId],
  );

test('members delete their account with their password, and everything of it ends at once', async () => {
  const ada = await platform.newMember();
  const other = await client.call(signIn, {
    body: { email: ada.email, password: PASSWORD, platform: 'web', device: 'phone' },
  });
  const socket = await LiveClient.open(platform.url, ada.accessToken);
  const { status, data } = await leave(ada);
  assert.deepEqual([status, data], [200, { userId: ada.id }]);
  await socket.closing();
  for (const token of [ada.accessToken, other.data.accessToken])
    assertRefused(await client.as(token).attempt(getProfile), invalidToken);
  assert.equal(
    (await client.attempt(refreshToken, { body: { refreshToken: other.data.refreshToken } })).status,
    401,
  );
  assertRefused(await admin.attempt(getUser, { params: { userId: ada.id } }), userNotFound);
  const reader = await platform.newMember();
  assertRefused(await reader.client.attempt(getMember, { params: { id: ada.id } }), userNotFound);
  // The e-mail is free.
  await client.call(signUp, {
    body: { email: ada.email, password: PASSWORD, firstName: 'Ada', lastName: 'L', platform: 'web' },
  });
});

test('the audit log keeps that the account was deleted, and nothing of the person', async () => {
  const ada = await platform.newMember();
  await leave(ada);
  const entries = async () => (await admin.call(listAudit, { query: { target: ada.id } })).data;
  await until(async () => !JSON.stringify(await entries()).includes(ada.email), 'the erased e-mail');
  assert.deepEqual(
    (await entries()).filter(({ action }) => action === 'user.deleted').map(({ actor }) => actor),
    [ada.id],
  );
});

test('a wrong password deletes nothing, and ten of them have to wait', async (t) => {
  stopClock(t, platform.clock);
  const ada = await platform.newMember();
  const wrong = () => untilAvailable(() => leave(ada, { password: 'not my password' }));
  assertRefused(await wrong(), wrongPassword);
  assertInvalid(await ada.client.raw('DELETE', '/v1/user'));
  const statuses = (await Promise.all(Array.from({ length: 12 }, wrong))).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 400).length, 9);
  assert.equal((await leave(ada)).status, 429);
  assert.equal((await ada.client.call(getProfile)).status, 200);
});

test('refusals after the right password do not count as wrong ones', async () => {
  const ada = await platform.newMemberWith(5);
  for (let attempt = 1; attempt <= 12; attempt++) assertRefused(await leave(ada), walletNotEmpty);
  assert.equal((await leave(ada, { remainingKeys: 'forfeit' })).status, 200);
});

test('an account whose wallet is not empty is not deleted until its owner decides about the Keys', async () => {
  const ada = await platform.newMemberWith(500);
  assertRefused(await leave(ada), walletNotEmpty);
  assert.equal((await ada.client.call(getBalance)).data.balance, 500, 'nothing has changed');
  const ben = await platform.newMember();
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 300 } });
  const { transaction } = (await ada.client.call(withdrawKeys, { body: { amount: 200 } })).data;
  assertRefused(await leave(ada), withdrawalPending);
  const params = { transactionId: transaction.transactionId };
  await ada.client.call(cancelWithdrawal, { params });
  assertRefused(await leave(ada), walletNotEmpty);
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 200 } });
  assert.equal((await leave(ada)).status, 200);
  assert.deepEqual(await walletOf(ada.id), { balance: 0, isActive: false });
});

test('forfeited Keys leave circulation, and pending withdrawals are paid all the same', async () => {
  const ada = await platform.newMemberWith(500);
  await ada.client.call(withdrawKeys, { body: { amount: 200 } });
  assert.equal((await leave(ada, { remainingKeys: 'forfeit' })).status, 200);
  assert.deepEqual(await walletOf(ada.id), { balance: 0, isActive: false });
  const { entries } = (await admin.call(getStatement, { params: { userId: ada.id } })).data;
  assert.equal(entries.at(-1)?.change, -300);
  const [pending] = (await admin.call(listWithdrawals)).data.filter(({ userId }) => userId === ada.id);
  assert.ok(pending && ['pending', 'completed'].includes(pending.status));
  assert.deepEqual(await ledgerFaults(database), []);
});

test('remaining Keys are paid out on request', async () => {
  const ada = await platform.newMemberWith(500);
  assert.equal((await leave(ada, { remainingKeys: 'withdraw' })).status, 200);
  assert.deepEqual(await walletOf(ada.id), { balance: 0, isActive: false });
  const [withdrawal] = (await admin.call(listWithdrawals)).data.filter(({ userId }) => userId === ada.id);
  assert.equal(withdrawal?.amount, 500);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('Keys of a locked wallet can be forfeited, but not paid out', async () => {
  const ada = await platform.newMemberWith(50);
  await admin.call(changeWallet, { params: { userId: ada.id }, body: { locked: true } });
  assertRefused(await leave(ada, { remainingKeys: 'withdraw' }), walletLocked);
  assert.equal((await ada.client.call(getProfile)).status, 200);
  assert.equal((await leave(ada, { remainingKeys: 'forfeit' })).status, 200);
  assert.deepEqual(await walletOf(ada.id), { balance: 0, isActive: false });
});

test('members without a wallet may name either outcome', async () => {
  for (const remainingKeys of ['withdraw', 'forfeit'] as const)
    assert.equal((await leave(await platform.newMember(), { remainingKeys })).status, 200);
});

test('no Keys remain that arrive while an account is deleted', async () => {
  const rich = await platform.newMemberWith(1_000);
  for (const remainingKeys of [undefined, 'forfeit', 'withdraw'] as const) {
    const leaver = await platform.newMemberWith(remainingKeys ? 100 : 0);
    const pay = () => rich.client.attempt(transferKeys, { body: { toUserId: leaver.id, amount: 1 } });
    const [left, ...paid] = await Promise.all([
      leave(leaver, remainingKeys ? { remainingKeys } : {}),
      ...Array.from({ length: 8 }, pay),
    ]);
    assert.ok([200, 409].includes(left.status), JSON.stringify(left.body));
    assert.ok(paid.every(({ status }) => [201, 404].includes(status)));
    const balance = (await walletOf(leaver.id))?.balance ?? 0;
    assert.equal(left.status === 200 ? balance : balance > 0, left.status === 200 ? 0 : true);
  }
  assert.deepEqual(await ledgerFaults(database), []);
});

test('of several deletions at once one succeeds', async () => {
  const ada = await platform.newMember();
  const statuses = (await Promise.all([leave(ada), leave(ada), leave(ada)])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 401, 401]);
});

test('the last administrator stays', async () => {
  const last = await admin.attempt(deleteOwnAccount, { body: { password: 'an administrator for tests' } });
  assertRefused(last, lastAdministrator);
  assert.equal((await admin.call(getProfile)).status, 200);
});
