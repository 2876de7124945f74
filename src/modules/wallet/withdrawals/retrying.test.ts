import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cancelWithdrawal,
  listAudit,
  listWithdrawals,
  retryWithdrawal,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { paymentUnavailable } from '../../../external/payment/port.ts';
import { payoutUnknown } from '../../merchant/contract.ts';
import { withdrawalNotFound, withdrawalNotPending } from './withdrawals.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const reason = 'It takes long';

type Query = NonNullable<TypesOf<typeof listWithdrawals>['query']>;
const list = async (query: Query) => (await admin.call(listWithdrawals, { query })).data;
const retry = (transactionId: string) =>
  admin.attempt(retryWithdrawal, { params: { transactionId }, body: { reason } });
async function withdraw({ client }: Member, amount: number): Promise<string> {
  return (await client.call(withdrawKeys, { body: { amount } })).data.transaction.transactionId;
}
const rowOf = async (member: Member) => (await list({ userId: member.id }))[0];

test('a withdrawal shows why its payout waits, and is paid out when it is retried', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { mode: 'fail', payoutDelay: 0 });
  const id = await withdraw(ada, 40);
  await until(async () => ((await rowOf(ada))?.attempts ?? 0) > 0, 'the first attempt');
  const waiting = await rowOf(ada);
  assert.deepEqual([waiting?.providerId, waiting?.status, waiting?.owner?.id], [null, 'pending', ada.id]);
  assert.match(waiting?.lastError ?? '', /unavailable/);
  assertRefused(await retry(id), paymentUnavailable);
  assert.ok(((await rowOf(ada))?.attempts ?? 0) > (waiting?.attempts ?? 0), 'it counts');
  await platform.standIn('payments', { mode: 'ok', payouts: 'hold' });
  platform.clock.advance(120_000); // the circuit closes
  const { status, data } = await retry(id);
  assert.deepEqual([status, data?.status, data?.attempts, data?.lastError], [200, 'pending', 0, null]);
  assert.match(data?.providerId ?? '', /^po_/);
  const [entry] = (await admin.call(listAudit, { query: { action: 'withdrawal.retried' } })).data;
  assert.deepEqual(
    [entry?.target, entry?.reason, entry?.details],
    [ada.id, reason, { transactionId: id, status: 'pending' }],
  );
});

test('retrying one whose webhook was lost completes it; one that has ended is 409', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { webhooks: false, webhookPause: 600_000, payoutDelay: 0 });
  const id = await withdraw(ada, 40);
  await until(async () => (await rowOf(ada))?.providerId !== null, 'the provider has it');
  await until(async () => (await retry(id)).data?.status !== 'pending', 'the provider has paid');
  assert.equal((await rowOf(ada))?.status, 'completed');
  assertRefused(await retry(id), withdrawalNotPending);
  assertRefused(await retry(`txn_${'0'.repeat(20)}`), withdrawalNotFound);
});

test('a payout that the provider does not know stays pending', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { payouts: 'hold' });
  const id = await withdraw(ada, 40);
  await until(async () => (await rowOf(ada))?.providerId !== null, 'the provider has it');
  await database.execute("update merchant.payout set provider_id = 'po_of_nobody' where user_id = $1", [
    ada.id,
  ]);
  assertRefused(await retry(id), payoutUnknown);
  const row = await rowOf(ada);
  assert.deepEqual([row?.status, row?.attempts, row?.lastError], ['pending', 1, payoutUnknown().message]);
});

test('two who retry at once make one payout', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { mode: 'fail' });
  const id = await withdraw(ada, 40);
  await until(async () => ((await rowOf(ada))?.attempts ?? 0) > 0, 'the first attempt');
  await platform.standIn('payments', { mode: 'ok', payouts: 'hold' });
  platform.clock.advance(120_000);
  const answers = await Promise.all(Array.from({ length: 5 }, () => retry(id)));
  assert.deepEqual([...new Set(answers.map(({ data }) => data?.providerId))].length, 1);
  assert.ok(answers.every(({ status }) => status === 200));
});

test('withdrawals are filtered by member, age and status, continued by a cursor and summed up', async () => {
  const ada = await platform.newMemberWith(100);
  await platform.standIn('payments', { payouts: 'hold' });
  const old = await withdraw(ada, 10);
  platform.clock.advance(60_000);
  const olderThan = platform.clock.date().toISOString();
  const [second, third] = [await withdraw(ada, 20), await withdraw(ada, 30)];
  const ids = async (query: Query) => (await list(query)).map(({ transactionId }) => transactionId);
  const userId = ada.id;
  assert.deepEqual(await ids({ userId }), [third, second, old]);
  assert.deepEqual(await ids({ userId, olderThan }), [old]);
  assert.deepEqual(await ids({ userId, before: third, limit: 1 }), [second]);
  assert.deepEqual(await ids({ userId, before: old }), []);
  await ada.client.call(cancelWithdrawal, { params: { transactionId: second } });
  assert.deepEqual(await ids({ userId, status: 'pending' }), [third, old]);
  const {
    body: { meta },
  } = await admin.call(listWithdrawals, {
    query: { userId, status: 'pending', limit: 1, summary: true },
  });
  const oldest = (await list({ userId })).at(-1)?.createdAt;
  assert.deepEqual(meta.summary, { count: 2, keys: 40, usd: 40, oldestAt: oldest });
  assert.equal((await admin.call(listWithdrawals, { query: { userId } })).body.meta.summary, undefined);
  for (const query of ['olderThan=yesterday', `page=1&before=${third}`, 'before=txn_ZZZZZZZZZZZZZZZZZZZZ'])
    assertInvalid(await admin.raw('GET', `/v1/wallets/admin/withdrawals?${query}`));
});
