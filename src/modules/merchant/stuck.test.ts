import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelWithdrawal,
  closeAlert,
  debitWallet,
  getBalance,
  listAlerts,
  listWithdrawals,
  settleWithdrawal,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { bringIntoCirculation } from '../../../test/support/circulation.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { fromReference } from '../../kernel/ids.ts';
import { payoutUnderWay } from './contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const openAlerts = async ({ id }: Member) =>
  (await admin.call(listAlerts, { query: { status: 'open', target: id } })).data;
const actionsOf = async (member: Member) => (await openAlerts(member)).map(({ action }) => action);
const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
async function payoutOf(transactionId: string) {
  const row = await database.first<{ status: string; providerId: string; attempts: number }>(
    'select status, provider_id, attempts from merchant.payout where reference = $1',
    [fromReference('txn', transactionId)],
  );
  return row ?? assert.fail();
}
async function withdrawn({ client }: Member, amount: number): Promise<string> {
  const { transactionId } = (await client.call(withdrawKeys, { body: { amount } })).data.transaction;
  await until(async () => (await payoutOf(transactionId)).status === 'submitted', 'the provider has it');
  return transactionId;
}
const endAtProvider = async (transactionId: string, body: { status: string; amount?: number }) =>
  fetch(`${platform.sandboxUrl}/control/payouts/${(await payoutOf(transactionId)).providerId}/end`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
/** Lets all that is open be looked at until the condition holds. */
async function reconcileUntil(holds: () => Promise<boolean>, what: string): Promise<void> {
  await until(async () => {
    for (const table of ['checkout', 'payout'])
      await database.execute(
        `update merchant.${table} set next_check_at = created_at where next_check_at is not null`,
      );
    await platform.platform.runJob('merchant.reconcile');
    return holds();
  }, what);
}

test('a paid checkout that cannot be credited is an open alert until it is', async () => {
  await platform.standIn('payments', { webhooks: false, webhookPause: 600_000 });
  const [ada, rich] = [await platform.newMemberWith(0), await platform.newMemberWith(0)];
  const { link } = await platform.checkout(ada, 10);
  await platform.pay(link);
  await bringIntoCirculation(database, rich.id, Number.MAX_SAFE_INTEGER);
  await reconcileUntil(async () => (await openAlerts(ada)).length > 0, 'the alert');
  const [alert] = await openAlerts(ada);
  assert.equal(alert?.action, 'payment.checkout-stuck');
  assert.match(String(alert?.details.error), /Keys/);
  await admin.call(closeAlert, { params: { alertId: alert?.id ?? '' }, body: { reason: 'I look into it' } });
  await reconcileUntil(async () => (await openAlerts(ada)).length > 0, 'the alert, since it still is stuck');
  await admin.call(debitWallet, {
    body: { userId: rich.id, amount: Number.MAX_SAFE_INTEGER, reason: 'Too many' },
  });
  await reconcileUntil(async () => (await balanceOf(ada)) === 10, 'the Keys');
  await until(async () => (await openAlerts(ada)).length === 0, 'the alert to close');
  const [closed] = (await admin.call(listAlerts, { query: { status: 'closed', target: ada.id } })).data;
  assert.deepEqual([closed?.action, closed?.closedBy], ['payment.checkout-stuck', 'service:payments']);
});

test('a checkout about which the provider does not answer for a day is an open alert, and none before', async () => {
  const ada = await platform.newMemberWith(0);
  const { id } = await platform.checkout(ada, 10);
  await platform.standIn('payments', { failing: [id] });
  const attempts = (failures: number) =>
    database.execute('update merchant.checkout set attempts = $2 where session_id = $1', [id, failures]);
  const attemptsNow = () =>
    database.count('select attempts from merchant.checkout where session_id = $1', [id]);
  await attempts(94);
  await reconcileUntil(async () => (await attemptsNow()) > 94, 'another failure');
  assert.deepEqual(await openAlerts(ada), []);
  await reconcileUntil(async () => (await openAlerts(ada)).length === 1, 'the alert');
  assert.ok((await attemptsNow()) >= 100);
  await platform.standIn('payments', { failing: [] });
  await reconcileUntil(async () => (await openAlerts(ada)).length === 0, 'the alert to close');
});

test('a stuck payout is an open alert until the provider answers about it, or it has ended', async () => {
  await platform.standIn('payments', { webhookPause: 50, payouts: 'hold', payoutDelay: 0 });
  const ada = await platform.newMemberWith(100);
  const [id, other] = [await withdrawn(ada, 40), await withdrawn(ada, 30)];
  const [known, otherKnown] = [(await payoutOf(id)).providerId, (await payoutOf(other)).providerId];
  const name = (transactionId: string, providerId: string) =>
    database.execute('update merchant.payout set provider_id = $2 where reference = $1', [
      fromReference('txn', transactionId),
      providerId,
    ]);
  await name(id, 'po_of_another_account');
  await name(other, 'po_of_a_third_account');
  await reconcileUntil(async () => (await openAlerts(ada)).length === 2, 'both alerts');
  assert.deepEqual(await actionsOf(ada), ['payment.payout-stuck', 'payment.payout-stuck']);
  await name(id, known);
  await reconcileUntil(async () => (await openAlerts(ada)).length === 1, 'the first to close');
  assert.equal((await payoutOf(id)).status, 'submitted', 'it has not ended');
  await name(other, otherKnown);
  await endAtProvider(other, { status: 'paid' });
  await until(async () => (await openAlerts(ada)).length === 0, 'the other to close');
});

test('a payout of another amount keeps the Keys held, and is an open alert until an operator has settled it', async () => {
  await platform.standIn('payments', { webhookPause: 50, payouts: 'hold', payoutDelay: 0 });
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada, 40);
  await endAtProvider(id, { status: 'paid', amount: 3_999 });
  await until(async () => (await openAlerts(ada)).length === 1, 'the alert');
  const [alert] = await openAlerts(ada);
  assert.equal(alert?.action, 'payment.payout-amount-mismatch');
  const { expectedCents, paidCents } = alert?.details ?? {};
  assert.deepEqual([expectedCents, paidCents], [4_000, 3_999]);
  await endAtProvider(id, { status: 'paid' });
  const [same] = await openAlerts(ada);
  assert.equal(same?.id, alert?.id, 'it is told once while it is open');
  await admin.call(closeAlert, {
    params: { alertId: alert?.id ?? '' },
    body: { reason: 'I ask the member' },
  });
  await reconcileUntil(async () => (await openAlerts(ada)).length > 0, 'the alert, since nothing is settled');
  const [row] = (await admin.call(listWithdrawals, { query: { userId: ada.id } })).data;
  assert.equal(row?.lastError, 'paid with 39.99 usd instead of 40.00 usd');
  assertRefused(
    await ada.client.attempt(cancelWithdrawal, { params: { transactionId: id } }),
    payoutUnderWay,
  );
  const params = { transactionId: id };
  const { data } = await platform.admin.call(settleWithdrawal, {
    params,
    body: { outcome: 'completed', reason: 'A cent less, agreed with the member' },
  });
  assert.equal(data.status, 'completed');
  assert.deepEqual([await openAlerts(ada), await balanceOf(ada)], [[], 60]);
  await endAtProvider(id, { status: 'paid' });
  assert.deepEqual(await openAlerts(ada), [], 'it was told once');
  const settled = await admin.call(listWithdrawals, { query: { userId: ada.id, status: 'completed' } });
  assert.equal(settled.data.length, 1);
});
