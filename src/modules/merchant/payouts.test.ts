import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelWithdrawal,
  changeWallet,
  getBalance,
  listAudit,
  listNotifications,
  listTransactions,
  retryWithdrawal,
  settleWithdrawal,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { ledgerFaults } from '../../../test/support/ledger-faults.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { paymentUnavailable } from '../../external/payment/port.ts';
import { fromReference } from '../../kernel/ids.ts';
import { SANDBOX_PAYMENT_KEY } from '../../sandbox/index.ts';
import { payoutUnderWay } from './contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
await platform.standIn('payments', { webhookPause: 50, payouts: 'hold', payoutDelay: 0 });
type Member = Awaited<ReturnType<typeof platform.newMember>>;
interface Payout {
  status: string;
  ending: string | null;
  reason: string | null;
  providerId: string;
}

async function payoutOf(id: string): Promise<Payout> {
  const reference = fromReference('txn', id);
  const payout = await database.first<Payout>('select * from merchant.payout where reference = $1', [
    reference,
  ]);
  assert.ok(payout, `the payout of ${id}`);
  return payout;
}
/** A withdrawal of 40 whose payout the provider has. */
async function withdrawn({ client }: Member): Promise<string> {
  const { data } = await client.call(withdrawKeys, { body: { amount: 40 } });
  const { transactionId } = data.transaction;
  await until(async () => (await payoutOf(transactionId)).status === 'submitted', 'the provider has it');
  return transactionId;
}
const settle = (id: string, outcome: 'cancelled' | 'completed' | 'failed', reason = 'by hand') =>
  admin.attempt(settleWithdrawal, { params: { transactionId: id }, body: { outcome, reason } });
const historyOf = async ({ client }: Member, type: 'fund' | 'transfer' | 'withdrawal' | 'refund') =>
  (await client.call(listTransactions, { query: { type } })).data;
const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const audited = async (action: string, target: string) =>
  (await admin.call(listAudit, { query: { action, target } })).data;
/** Ends a payout at the provider, which reports it by webhook. */
async function endAtProvider(id: string, status: string): Promise<void> {
  await fetch(`${platform.sandboxUrl}/control/payouts/${(await payoutOf(id)).providerId}/end`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  });
}

test('settling a withdrawal that cannot be stopped is 409 and stores no decision', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  await endAtProvider(id, 'in_transit');
  const refused = await settle(id, 'failed');
  assertRefused(refused, payoutUnderWay);
  const { status, ending, reason } = await payoutOf(id);
  assert.deepEqual([status, ending, reason], ['submitted', null, null]);
  await endAtProvider(id, 'canceled');
  const [withdrawal] = await historyOf(ada, 'withdrawal');
  assert.equal(withdrawal?.status, 'cancelled', 'as the provider says, not as was decided in vain');
  const [refund] = await historyOf(ada, 'refund');
  assert.deepEqual(refund?.metadata, { withdrawalId: id });
  assert.deepEqual(await audited('withdrawal.settled', ada.id), []);
});

test('a decision after a refused one is carried out, and only it is recorded', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  await endAtProvider(id, 'in_transit');
  await settle(id, 'failed');
  await endAtProvider(id, 'pending');
  const settled = await settle(id, 'completed', 'paid in cash');
  assert.deepEqual([settled.status, settled.data?.status], [200, 'completed']);
  const log = await audited('withdrawal.settled', ada.id);
  assert.deepEqual(
    log.map(({ details }: { details: object }) => details),
    [{ transactionId: id, outcome: 'completed', reason: 'paid in cash' }],
  );
});

test('of concurrent settlements one succeeds and is recorded', async () => {
  for (const isWithProvider of [true, false]) {
    const ada = await platform.newMemberWith(100);
    if (!isWithProvider) await platform.standIn('payments', { mode: 'fail' });
    const { data } = await ada.client.call(withdrawKeys, { body: { amount: 40 } });
    const id = data.transaction.transactionId;
    await platform.standIn('payments', { mode: 'ok' });
    if (isWithProvider) await until(async () => (await payoutOf(id)).status === 'submitted', 'submitted');
    else {
      // The provider was away: it may or may not know of the payout.
      await until(async () => (await payoutOf(id)).status !== 'queued', 'tried');
      platform.clock.advance(11_000);
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => settle(id, 'completed')));
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 1);
    const others = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(
      [...new Set(others.map(({ status, body }) => `${status} ${body.error}`))],
      ['409 WITHDRAWAL_NOT_PENDING'],
    );
    assert.equal((await audited('withdrawal.settled', ada.id)).length, 1);
    assert.equal((await historyOf(ada, 'withdrawal'))[0]?.status, 'completed');
  }
});

test('a repeated decision with the same key gets the same answer, also after the end', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  const keyed = admin.with({ 'idempotency-key': `settle-${id}` });
  const body = { outcome: 'failed' as const, reason: 'a mistake' };
  const first = await keyed.call(settleWithdrawal, { params: { transactionId: id }, body });
  assert.equal(first.status, 200);
  // Simulates a process that died before the response was stored.
  await database.execute('delete from kernel.idempotency_key');
  const again = await keyed.call(settleWithdrawal, { params: { transactionId: id }, body });
  assert.deepEqual([again.status, again.data], [200, first.data]);
  assert.equal((await audited('withdrawal.settled', ada.id)).length, 1);
  assert.equal(await balanceOf(ada), 100);
});

test('a payout that fails after it was paid returns the Keys once and alerts operators', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  await endAtProvider(id, 'paid');
  assert.equal((await historyOf(ada, 'withdrawal'))[0]?.status, 'completed');
  assert.equal(await balanceOf(ada), 60);
  await admin.call(changeWallet, { params: { userId: ada.id }, body: { locked: true } });
  for (const status of ['failed', 'failed', 'paid', 'failed']) await endAtProvider(id, status);
  assert.equal(await balanceOf(ada), 100);
  assert.equal((await historyOf(ada, 'withdrawal'))[0]?.status, 'completed', 'it was paid out');
  const refunds = await historyOf(ada, 'refund');
  assert.equal(refunds.length, 1);
  const { amount, toUserId, fromUserId, metadata, description } = refunds[0] ?? assert.fail();
  assert.deepEqual(
    [amount, toUserId, fromUserId, metadata, description],
    [40, ada.id, null, { withdrawalId: id, reason: 'The account is closed' }, 'Payout returned'],
  );
  await until(async () => {
    const { data } = await ada.client.call(listNotifications);
    return data.some(({ title }: { title: string }) => title === 'Your payout was sent back by the bank');
  }, 'the member is told');
  const entries = await audited('payment.payout-returned', ada.id);
  assert.equal(entries.length, 1);
  assert.deepEqual([entries[0]?.actor, entries[0]?.details.cents], ['service:payments', 4000]);
});

test('a withdrawal settled as paid is not returned by a later webhook', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  assert.equal((await settle(id, 'completed', 'in cash')).status, 200);
  for (const status of ['failed', 'paid', 'canceled']) await endAtProvider(id, status);
  assert.equal(await balanceOf(ada), 60);
  const [entry] = await audited('payment.payout-paid-after-end', ada.id);
  assert.deepEqual([entry?.details.cents, entry?.details.endedAs], [4000, 'paid'], 'it went out twice');
});

test('a payout that is paid after it had failed alerts operators once and moves no Keys', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  await endAtProvider(id, 'failed');
  assert.equal(await balanceOf(ada), 100);
  for (const status of ['paid', 'paid', 'failed', 'paid']) await endAtProvider(id, status);
  assert.equal(await balanceOf(ada), 100);
  const entries = await audited('payment.payout-paid-after-end', ada.id);
  assert.deepEqual(
    entries.map(({ details }) => details.endedAs),
    ['failed'],
  );
});

test('a payout that the provider no longer knows stays open and alerts operators', async () => {
  const ada = await platform.newMemberWith(100);
  const id = await withdrawn(ada);
  const { providerId: known } = await payoutOf(id);
  const name = (providerId: string) =>
    database.execute('update merchant.payout set provider_id = $2, attempts = 4 where reference = $1', [
      fromReference('txn', id),
      providerId,
    ]);
  await name('po_of_another_account');
  const cancelled = await ada.client.attempt(cancelWithdrawal, { params: { transactionId: id } });
  assertRefused(cancelled, paymentUnavailable);
  platform.clock.advance(61_000);
  await platform.platform.runJob('merchant.reconcile');
  await until(async () => (await audited('payment.payout-stuck', ada.id)).length > 0, 'operators are told');
  assert.equal((await payoutOf(id)).status, 'submitted');
  assert.equal(await balanceOf(ada), 60);
  await name(known);
  await endAtProvider(id, 'paid');
  assert.equal((await historyOf(ada, 'withdrawal'))[0]?.status, 'completed');
});

test('an administrator settles a payout that the provider does not know, which the audit log has', async () => {
  for (const outcome of ['completed', 'failed', 'cancelled'] as const) {
    const ada = await platform.newMemberWith(100);
    const id = await withdrawn(ada);
    await database.execute('update merchant.payout set provider_id = $2 where reference = $1', [
      fromReference('txn', id),
      `po_lost_${outcome}`,
    ]);
    await platform.standIn('payments', { mode: 'fail' });
    assertRefused(await settle(id, outcome), paymentUnavailable, 'an outage is no answer');
    await platform.standIn('payments', { mode: 'ok' });
    platform.clock.advance(11_000);
    const settled = await settle(id, outcome);
    assert.deepEqual([settled.status, settled.data?.status], [200, outcome]);
    assert.equal(await balanceOf(ada), outcome === 'completed' ? 60 : 100);
    assert.deepEqual(
      (await audited('withdrawal.settled', ada.id)).map(({ details }) => details),
      [{ transactionId: id, outcome, reason: 'by hand', unknownToProvider: true }],
    );
  }
});

test('a payout whose answer was lost and whose key is forgotten is found at the provider, and not made again', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { mode: 'fail' });
  const { data } = await ada.client.call(withdrawKeys, { body: { amount: 40 } });
  const { transactionId } = data.transaction;
  await until(async () => (await payoutOf(transactionId)).status === 'submitting', 'the attempt');
  await platform.standIn('payments', { mode: 'ok' });
  const reference = fromReference('txn', transactionId) as string;
  const made = await fetch(`${platform.sandboxUrl}/v1/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SANDBOX_PAYMENT_KEY}` },
    body: new URLSearchParams({ amount: '4000', currency: 'usd', 'metadata[reference]': reference }),
  });
  const { id } = (await made.json()) as { id: string };
  platform.clock.advance(25 * 3_600_000);
  await (await platform.signInAdmin()).call(retryWithdrawal, { params: { transactionId } });
  assert.equal((await payoutOf(transactionId)).providerId, id);
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
