import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cancelWithdrawal,
  changeWallet,
  getBalance,
  listAudit,
  listTransactions,
  listWithdrawals,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { invalidId } from '../../../kernel/failures.ts';
import { withdrawalNotFound, withdrawalNotPending } from './withdrawals.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
await platform.standIn('payments', { webhookPause: 50 });
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
async function withdraw({ client }: Member, amount: number): Promise<string> {
  const { data } = await client.call(withdrawKeys, { body: { amount } });
  return data.transaction.transactionId;
}
const cancel = ({ client }: Member, id: string) =>
  client.attempt(cancelWithdrawal, { params: { transactionId: id } });
type Outcome = TypesOf<typeof settleWithdrawal>['body']['outcome'];
const settle = (id: string, outcome: Outcome, reason?: string) =>
  admin.attempt(settleWithdrawal, { params: { transactionId: id }, body: { outcome, reason } });
/** Settles with an outcome that does not exist. */
const settleOddly = (id: string, outcome?: string) =>
  admin.raw('POST', `/v1/wallets/admin/withdrawals/${id}/settle`, { outcome });
const settlementsOf = async (member: Member) => {
  const query = { action: 'withdrawal.settled', target: member.id };
  return (await admin.call(listAudit, { query })).data.map(({ details }) => details);
};
async function statusOf({ client }: Member, id: string): Promise<string | undefined> {
  const { data } = await client.call(listTransactions, { query: { type: 'withdrawal' } });
  return data.find(({ transactionId }) => transactionId === id)?.status;
}
async function until(what: () => Promise<boolean>, message: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; !(await what()); await sleep(30)) {
    assert.ok(Date.now() < deadline, message);
  }
}
/** Waits until the provider has the payout. */
const submitted = () =>
  until(
    async () =>
      (await database.all("select from merchant.payout where status in ('queued', 'submitting')")).length ===
      0,
    'all payouts are with the provider',
  );

test('a withdrawal holds the Keys until its payout is paid', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { payoutDelay: 0 });
  const { status, data, body } = await ada.client.call(withdrawKeys, {
    body: { amount: 40, description: 'Rent', metadata: { note: 'x', usdAmount: 1 } },
  });
  assert.deepEqual([status, body.message], [201, 'Withdrawal requested successfully']);
  const { transactionId, ...rest } = data.transaction;
  assert.deepEqual(data.wallet, { balance: 60 });
  assert.deepEqual(rest, { type: 'withdrawal', amount: 40, status: 'pending' });
  assert.equal(await balanceOf(ada), 60);
  await until(async () => (await statusOf(ada, transactionId)) === 'completed', 'paid out');
  assert.equal(await balanceOf(ada), 60);
  const [shown] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual(
    [shown?.fromUserId, shown?.toUserId, shown?.description, shown?.metadata],
    [null, ada.id, 'Rent', { note: 'x', usdAmount: 40 }],
  );
  assert.ok(shown?.processedAt);
  assert.deepEqual([shown?.fromBalanceBefore, shown?.fromBalanceAfter], [100, 60]);
});

test('a failed payout returns the Keys by a refund with the reason', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { payoutDelay: 0, payouts: 'failed' });
  const id = await withdraw(ada, 40);
  await until(async () => (await statusOf(ada, id)) === 'failed', 'failed');
  assert.equal(await balanceOf(ada), 100);
  const [refund] = (await ada.client.call(listTransactions, { query: { type: 'refund' } })).data;
  assert.deepEqual(
    [refund?.amount, refund?.toUserId, refund?.status, refund?.metadata],
    [40, ada.id, 'completed', { withdrawalId: id, reason: 'The bank refused it' }],
  );
});

test('a pending withdrawal is cancelled once, by its member only', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  const id = await withdraw(ada, 40);
  const others = await cancel(ben, id);
  assertRefused(others, withdrawalNotFound);
  const { status, data } = await cancel(ada, id);
  assert.deepEqual([status, data?.status, data?.transactionId], [200, 'cancelled', id]);
  assert.equal(await balanceOf(ada), 100);
  const again = await cancel(ada, id);
  assertRefused(again, withdrawalNotPending);
  assertRefused(await cancel(ada, 'txn_short'), invalidId('transaction'));
  assertRefused(await cancel(ada, `txn_${'0'.repeat(20)}`), withdrawalNotFound);
  const transfer = (await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } })).data;
  assertRefused(
    await cancel(ada, transfer.transaction.transactionId),
    withdrawalNotFound,
    'a transfer is no withdrawal',
  );
});

test('administrators list and settle withdrawals, and the audit log records it', async () => {
  const ada = await platform.newMemberWith(100);
  const ids: string[] = [];
  for (const outcome of ['completed', 'failed', 'cancelled'] as const) {
    const id = await withdraw(ada, 10);
    ids.push(id);
    const { data: pending } = await admin.call(listWithdrawals, { query: { status: 'pending' } });
    assert.ok(pending.some(({ transactionId }) => transactionId === id));
    await submitted();
    const { status, data } = await settle(id, outcome, 'by hand');
    assert.deepEqual([status, data?.status, data?.userId], [200, outcome, ada.id]);
    assertRefused(await settle(id, outcome), withdrawalNotPending, 'once');
    assertRefused(await settle(id, 'completed'), withdrawalNotPending);
  }
  assert.equal(await balanceOf(ada), 90);
  assert.deepEqual((await settlementsOf(ada)).reverse(), [
    { transactionId: ids[0], outcome: 'completed', reason: 'by hand' },
    { transactionId: ids[1], outcome: 'failed', reason: 'by hand' },
    { transactionId: ids[2], outcome: 'cancelled', reason: 'by hand' },
  ]);
  for (const outcome of ['pending', '', undefined])
    assertInvalid(await settleOddly(ids[0] as string, outcome));
  assertRefused(
    await settleOddly(`txn_${'0'.repeat(20)}`, 'maybe'),
    withdrawalNotFound,
    'an unknown withdrawal is 404 before the body is checked',
  );
});

test('a withdrawal that the provider has paid cannot be cancelled or settled', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { webhooks: false, webhookPause: 60_000, payoutDelay: 0 });
  const id = await withdraw(ada, 40);
  await submitted();
  await sleep(100); // the provider pays, and its webhook is lost
  const refused = await cancel(ada, id);
  assertRefused(refused, withdrawalNotPending);
  assert.equal(await statusOf(ada, id), 'completed', 'asking told us');
  assert.equal(await balanceOf(ada), 60);
  const other = await withdraw(ada, 10);
  await submitted();
  await sleep(100);
  const settled = await settle(other, 'completed');
  assertRefused(settled, withdrawalNotPending);
  assert.deepEqual(await settlementsOf(ada), [], 'the provider paid it, nobody settled it');
});

test('reconciliation makes up for a lost webhook', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { webhooks: false, webhookPause: 60_000, payoutDelay: 0 });
  const id = await withdraw(ada, 40);
  await submitted();
  await sleep(100);
  platform.clock.advance(120_000);
  await platform.platform.runJob('merchant.reconcile');
  assert.equal(await statusOf(ada, id), 'completed');
});

test('withdrawals wait while the provider is down, and what was decided then is carried out after it', async () => {
  const ada = await platform.newMemberWith(100);
  const made = async () =>
    ((await (await fetch(`${platform.sandboxUrl}/control/payments`)).json()) as { payoutsMade: number })
      .payoutsMade;
  const before = await made();
  await platform.standIn('payments', { mode: 'fail', payoutDelay: 0 });
  const id = await withdraw(ada, 40);
  // A payout that nobody has tried to submit could be cancelled without the provider.
  const untried = "select count(*) from merchant.payout where status = 'queued'";
  await until(async () => (await database.count(untried)) === 0, 'the submission');
  assertRefused(await cancel(ada, id), paymentUnavailable);
  assert.equal(await statusOf(ada, id), 'pending');
  await platform.standIn('payments', { mode: 'ok', payouts: 'hold' });
  platform.clock.advance(120_000);
  await platform.platform.runJob('merchant.reconcile');
  // It may have arrived before, so it is made, under its key, to be cancelled.
  await until(async () => (await statusOf(ada, id)) === 'cancelled', 'the cancellation');
  assert.equal((await made()) - before, 1);
  assert.equal(await balanceOf(ada), 100);
});

test('invalid withdrawals are refused, and Keys return to a locked wallet', async () => {
  const ada = await platform.newMemberWith(50);
  const none = await platform.newMember();
  const tryTo = async ({ client }: Member, amount: unknown) => {
    const { status, body } = await client.raw('POST', '/v1/wallets/withdraw', { amount });
    return [status, body.message];
  };
  assert.deepEqual(await tryTo(ada, 51), [400, 'Insufficient balance']);
  for (const amount of [0, 1.5, '5', undefined]) {
    assert.deepEqual(await tryTo(ada, amount), [400, 'Amount must be a positive whole number']);
  }
  assert.deepEqual(await tryTo(none, 5), [404, 'Wallet not found']);
  const id = await withdraw(ada, 20);
  await admin.call(changeWallet, {
    params: { userId: ada.id },
    body: { locked: true, lockedReason: 'check' },
  });
  assert.deepEqual(await tryTo(ada, 5), [403, 'Wallet is locked']);
  assert.equal((await settle(id, 'failed')).status, 200);
  assert.equal(await balanceOf(ada), 50);
});

test('a withdrawal that is ended concurrently in several ways ends once', async () => {
  for (const round of [1, 2, 3, 4, 5, 6]) {
    const ada = await platform.newMemberWith(100);
    await platform.standIn('payments', { payoutDelay: round % 2 });
    const id = await withdraw(ada, 40);
    if (round > 2) await submitted();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => untilAvailable(() => cancel(ada, id))),
      ...(['completed', 'failed', 'cancelled', 'completed'] as const).map((outcome) =>
        untilAvailable(() => settle(id, outcome)),
      ),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => ![200, 409].includes(status)),
      [],
    );
    await until(async () => (await statusOf(ada, id)) !== 'pending', 'it ends');
    const ended = await statusOf(ada, id);
    assert.equal(await balanceOf(ada), ended === 'completed' ? 60 : 100, ended);
    const told = answers.filter(({ status }) => status === 200).map(({ data }) => data?.status);
    assert.deepEqual(
      told.filter((status) => status !== ended),
      [],
      'no notification of an action that did not take effect',
    );
    const { data: refunds } = await ada.client.call(listTransactions, { query: { type: 'refund' } });
    assert.equal(refunds.length, ended === 'completed' ? 0 : 1);
  }
});

test('of concurrent withdrawals beyond the balance exactly those that fit succeed', async () => {
  const ada = await platform.newMemberWith(50);
  await platform.standIn('payments', { payouts: 'hold' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => {
      const keyed = ada.client.with({ 'idempotency-key': `withdrawal-${place}` });
      return untilAvailable(() => keyed.attempt(withdrawKeys, { body: { amount: 8 } }));
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 6);
  assert.equal(await balanceOf(ada), 2);
});

test('the ledger is sound after all tests of this file', async () => {
  assert.deepEqual(await ledgerFaults(database), []);
});
