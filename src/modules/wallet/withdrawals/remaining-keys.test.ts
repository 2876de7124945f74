import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  debitWallet,
  deleteUser,
  listAlerts,
  listAudit,
  listWithdrawals,
  payOutRemainingKeys,
  settleWithdrawal,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { userNotFound } from '../../identity/contract.ts';
import { insufficientBalance, walletNotFound } from '../contract.ts';
import { memberNotDeleted } from './remaining-keys.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const reason = 'The bank account was closed';

const openAlerts = async (target: string) =>
  (await admin.call(listAlerts, { query: { status: 'open', target } })).data;
const payOut = (userId: string, amount?: number) =>
  admin.attempt(payOutRemainingKeys, { body: { userId, reason, ...(amount ? { amount } : {}) } });
const keysOf = async ({ id }: Member): Promise<number> =>
  database.count('select balance from wallet.account where name = $1', [`wallet:${id}`]);
const isSound = async () => assert.deepEqual((await platform.platform.wallet.verify()).faults, []);

/** Ends a payout at the provider. */
const end = async (providerId: string | null, status: 'paid' | 'failed') =>
  assert.equal(
    (
      await fetch(`${platform.sandboxUrl}/control/payouts/${providerId}/end`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      })
    ).ok,
    true,
  );
const withdrawalOf = async (userId: string) =>
  (await admin.call(listWithdrawals, { query: { userId, limit: 1 } })).data[0];

/** A deleted member whose withdrawal of these Keys the provider has and holds. */
async function leaverWith(keys: number): Promise<Member> {
  await platform.standIn('payments', { payouts: 'hold' });
  const leaver = await platform.newMemberWith(keys);
  const params = { userId: leaver.id };
  await admin.call(deleteUser, { params, body: { remainingKeys: 'withdraw' } });
  return leaver;
}
async function failPayoutOf(leaver: Member): Promise<void> {
  const before = await keysOf(leaver);
  await until(async () => (await withdrawalOf(leaver.id))?.providerId !== null, 'the provider has it');
  await end((await withdrawalOf(leaver.id))?.providerId ?? null, 'failed');
  await until(async () => (await keysOf(leaver)) > before, 'the Keys are back');
}

test('Keys of a deleted member whose payout failed are a task until they are paid out again', async () => {
  const leaver = await leaverWith(500);
  assert.deepEqual(await openAlerts(leaver.id), []);
  await failPayoutOf(leaver);
  const [alert] = await openAlerts(leaver.id);
  assert.deepEqual(
    [alert?.action, alert?.details.keys, alert?.details.balance, alert?.member],
    ['payment.keys-of-deleted-member', 500, 500, null],
  );
  const { status, data } = await payOut(leaver.id);
  assert.deepEqual([status, data?.amount, data?.status, data?.userId], [201, 500, 'pending', leaver.id]);
  assert.deepEqual(await openAlerts(leaver.id), [], 'the wallet is empty');
  const [entry] = (await admin.call(listAudit, { query: { action: 'withdrawal.requested' } })).data;
  assert.deepEqual(
    [entry?.target, entry?.reason, entry?.details],
    [leaver.id, reason, { transactionId: data?.transactionId, amount: 500 }],
  );
  await failPayoutOf(leaver);
  assert.equal((await openAlerts(leaver.id)).length, 1, 'it failed once more');
  await isSound();
});

test('Keys of a deleted member can be taken out of the closed wallet, which ends the task once none are left', async () => {
  const leaver = await leaverWith(500);
  await failPayoutOf(leaver);
  const debit = (amount: number) =>
    admin.attempt(debitWallet, { body: { userId: leaver.id, amount, reason: 'Paid by bank transfer' } });
  assert.equal((await debit(200)).status, 201);
  assert.equal((await openAlerts(leaver.id)).length, 1, 'some are left');
  assertRefused(await debit(301), insufficientBalance);
  const { data } = await debit(300);
  assert.deepEqual([data?.wallet.balance, data?.wallet.isActive], [0, false]);
  assert.deepEqual(await openAlerts(leaver.id), []);
  assertRefused(
    await admin.attempt(debitWallet, { body: { userId: 'f'.repeat(24), amount: 1, reason } }),
    userNotFound,
  );
  await isSound();
});

test('a failed payout and a payment of a deleted member are two tasks, and each ends by itself', async () => {
  await platform.standIn('payments', { payouts: 'hold' });
  const leaver = await platform.newMemberWith(500);
  const { link, id: session } = await platform.checkout(leaver, 50);
  await admin.call(deleteUser, { params: { userId: leaver.id }, body: { remainingKeys: 'withdraw' } });
  await failPayoutOf(leaver);
  await platform.pay(link);
  await until(async () => (await openAlerts(leaver.id)).length === 2, 'both alerts');
  assert.deepEqual(
    (await openAlerts(leaver.id)).map(({ action, details }) => [action, details.keys]).sort(),
    [
      ['payment.keys-of-deleted-member', 500],
      ['payment.paid-by-deleted-member', 50],
    ],
  );
  const refunded = await fetch(`${platform.sandboxUrl}/control/payments/${session}/refund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cents: 5_000 }),
  });
  assert.equal(refunded.status, 200);
  await until(async () => (await openAlerts(leaver.id)).length === 1, 'the refund');
  assert.equal((await openAlerts(leaver.id))[0]?.action, 'payment.keys-of-deleted-member');
  assert.equal(await keysOf(leaver), 500);
  assert.equal((await payOut(leaver.id)).status, 201);
  assert.deepEqual(await openAlerts(leaver.id), []);
  await isSound();
});

test('some of the Keys can be paid out; two operators at once pay out what there is, once', async () => {
  const leaver = await leaverWith(500);
  await failPayoutOf(leaver);
  assert.equal((await payOut(leaver.id, 100)).status, 201);
  assert.equal((await openAlerts(leaver.id)).length, 1);
  assertRefused(await payOut(leaver.id, 401), insufficientBalance);
  const answers = await Promise.all([payOut(leaver.id), payOut(leaver.id), payOut(leaver.id)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400]);
  assert.equal(await keysOf(leaver), 0);
  assertRefused(await payOut(leaver.id), insufficientBalance);
  await isSound();
});

test('a repetition with the same key pays out once', async () => {
  const leaver = await leaverWith(500);
  await failPayoutOf(leaver);
  const eager = admin.with({ 'idempotency-key': 'pay-out-once' });
  const body = { userId: leaver.id, amount: 100, reason };
  const [first, second] = [
    await eager.call(payOutRemainingKeys, { body }),
    await eager.call(payOutRemainingKeys, { body }),
  ];
  assert.deepEqual(second.data, first.data);
  assert.equal(await keysOf(leaver), 400);
});

test('members who are not deleted withdraw themselves, and who never had a wallet has nothing', async () => {
  const ada = await platform.newMemberWith(100);
  assertRefused(await payOut(ada.id), memberNotDeleted);
  assertRefused(await payOut('f'.repeat(24)), walletNotFound);
  assert.equal(await keysOf(ada), 100);
  const refused = await ada.client.attempt(payOutRemainingKeys, { body: { userId: ada.id, reason } });
  assert.equal(refused.status, 403);
});

test('a withdrawal that was settled as failed and is paid all the same is a task', async () => {
  await platform.standIn('payments', { payouts: 'hold' });
  const ada = await platform.newMemberWith(100);
  const { data } = await ada.client.call(withdrawKeys, { body: { amount: 40 } });
  const { transactionId } = data.transaction;
  await until(async () => (await withdrawalOf(ada.id))?.providerId !== null, 'the provider has it');
  const body = { outcome: 'failed' as const, reason: 'Refused by the bank' };
  await admin.call(settleWithdrawal, { params: { transactionId }, body });
  assert.equal(await keysOf(ada), 100);
  assert.deepEqual(await openAlerts(ada.id), []);
  await end((await withdrawalOf(ada.id))?.providerId ?? null, 'paid');
  await until(async () => (await openAlerts(ada.id)).length > 0, 'the alert');
  const [alert] = await openAlerts(ada.id);
  assert.deepEqual(
    [alert?.action, alert?.details.endedAs, alert?.member?.id],
    ['payment.payout-paid-after-end', 'failed', ada.id],
  );
});
