import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changeWallet,
  debitWallet,
  deleteUser,
  fundWalletAsAdmin,
  getBalance,
  listAudit,
  listTransactions,
  reverseTransaction,
  transferKeys,
} from '../../../../sdk/src/index.ts';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { userNotFound } from '../../identity/contract.ts';
import { insufficientBalance, walletNotFound } from '../contract.ts';
import { alreadyReversed, notReversible, transactionNotFound } from './reversals.ts';

const platform = await startPlatform();
const { admin } = platform;
const reason = 'A mistake of ours';

const balanceOf = async ({ client }: Member) => (await client.call(getBalance)).data.balance;
const debit = (userId: string, amount: number, more: object = {}) =>
  admin.attempt(debitWallet, { body: { userId, amount, reason, ...more } });
const reverse = (transactionId: string, more: object = {}) =>
  admin.attempt(reverseTransaction, { params: { transactionId }, body: { reason, ...more } });
async function transfer(from: Member, to: Member, amount: number): Promise<string> {
  const { data } = await from.client.call(transferKeys, { body: { toUserId: to.id, amount } });
  return data.transaction.transactionId;
}

test('a debit takes Keys from a wallet, also a locked one, and the log says why', async () => {
  const ada = await platform.newMemberWith(50);
  await admin.call(changeWallet, { params: { userId: ada.id }, body: { locked: true } });
  const { status, data } = await debit(ada.id, 20);
  assert.equal(status, 201);
  assert.deepEqual([data?.wallet.balance, data?.wallet.locked, data?.short], [30, true, 0]);
  const { fee, netAmount, fromBalanceBefore, fromBalanceAfter, toBalanceBefore, toBalanceAfter } =
    data?.transaction ?? assert.fail();
  assert.deepEqual(
    [fee, netAmount, fromBalanceBefore, fromBalanceAfter, toBalanceBefore, toBalanceAfter],
    [0, 20, 50, 30, null, null],
  );
  assert.equal(await balanceOf(ada), 30);
  const [newest] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual([newest?.type, newest?.amount, newest?.fromBalanceAfter], ['refund', 20, 30]);
  assert.ok(!JSON.stringify(newest).includes(reason), 'the member does not see the reason');
  const [entry] = (await admin.call(listAudit, { query: { action: 'wallet.debited', target: ada.id } })).data;
  assert.deepEqual([entry?.reason, entry?.details.amount], [reason, 20]);
  assert.deepEqual(await ledgerFaults(platform.database), []);
});

test('a debit takes all or nothing, unless less is allowed', async () => {
  const ada = await platform.newMemberWith(5);
  assertRefused(await debit(ada.id, 6), insufficientBalance);
  assert.equal(await balanceOf(ada), 5);
  const { data } = await debit(ada.id, 6, { allowPartial: true });
  assert.deepEqual([data?.transaction.amount, data?.short, data?.wallet.balance], [5, 1, 0]);
  assertRefused(await debit(ada.id, 1, { allowPartial: true }), insufficientBalance, 'there is nothing');
  assertRefused(await debit('f'.repeat(24), 1), userNotFound);
  assertRefused(await debit((await platform.newMember()).id, 1), walletNotFound);
  assertInvalid(await admin.raw('POST', '/v1/wallets/admin/debit', { userId: ada.id, amount: 1 }));
});

test('a debit happens once for its Idempotency-Key', async () => {
  const ada = await platform.newMemberWith(50);
  const eager = admin.with({ 'idempotency-key': `debit-${ada.id}` });
  const body = { userId: ada.id, amount: 20, reason };
  const [first, again] = [await eager.call(debitWallet, { body }), await eager.call(debitWallet, { body })];
  assert.deepEqual(again.data, first.data);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(await balanceOf(ada), 30);
});

test('a transfer is reversed once, also in a race', async () => {
  const [ada, ben] = [await platform.newMemberWith(50), await platform.newMember()];
  const transactionId = await transfer(ada, ben, 20);
  const answers = await Promise.all([1, 2, 3, 4].map(() => reverse(transactionId)));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const answer of answers) if (answer.status !== 201) assertRefused(answer, alreadyReversed);
  assert.deepEqual([await balanceOf(ada), await balanceOf(ben)], [50, 0]);
  const { data } = made[0] ?? assert.fail();
  assert.deepEqual([data?.reversedTransactionId, data?.short], [transactionId, 0]);
  assert.deepEqual([data?.transaction.fromUserId, data?.transaction.toUserId], [ben.id, ada.id]);
  assertRefused(await reverse(data?.transaction.transactionId ?? ''), notReversible);
});

test('a reversal says exactly how many Keys were short', async () => {
  for (const spent of [13, 1]) {
    const [ada, ben] = [await platform.newMemberWith(50), await platform.newMember()];
    const transactionId = await transfer(ada, ben, 20);
    await transfer(ben, await platform.newMember(), spent);
    assertRefused(await reverse(transactionId), insufficientBalance);
    const { data } = await reverse(transactionId, { allowPartial: true });
    assert.deepEqual([data?.transaction.amount, data?.short], [20 - spent, spent]);
    assert.equal(data?.transaction.metadata.short, spent);
    assert.deepEqual([await balanceOf(ada), await balanceOf(ben)], [50 - spent, 0]);
    const again = await reverse(transactionId, { allowPartial: true });
    assertRefused(again, alreadyReversed, 'the rest stays short');
  }
});

test('what an administrator granted or took is reversed; purchases, withdrawals and unknown ones are not', async () => {
  const ada = await platform.newMemberWith(50);
  const { data } = await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 30 } });
  assert.equal((await reverse(data.transaction.transactionId)).status, 201);
  assert.equal(await balanceOf(ada), 50);
  const taken = (await debit(ada.id, 10)).data?.transaction.transactionId ?? '';
  assert.equal((await reverse(taken)).status, 201);
  assert.equal(await balanceOf(ada), 50);

  await platform.pay((await platform.checkout(ada, 10)).link);
  const { data: bought } = await ada.client.call(listTransactions, { query: { type: 'fund', limit: 1 } });
  assertRefused(await reverse(bought[0]?.transactionId ?? ''), notReversible);
  await ada.client.raw('POST', '/v1/wallets/withdraw', { amount: 20 });
  const { data: held } = await ada.client.call(listTransactions, { query: { type: 'withdrawal' } });
  assertRefused(await reverse(held[0]?.transactionId ?? ''), notReversible);
  assertRefused(await reverse('txn_00000000000000000000'), transactionNotFound);
});

test('Keys do not go back to somebody who was deleted', async () => {
  const [ada, ben] = [await platform.newMemberWith(20), await platform.newMember()];
  const transactionId = await transfer(ada, ben, 20);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  assertRefused(await reverse(transactionId), userNotFound);
  assert.equal(await balanceOf(ben), 20);
});

test('the ledger stays sound whatever is transferred, debited and reversed', async () => {
  const members = await Promise.all([1, 2, 3].map(() => platform.newMemberWith(30)));
  const made: string[] = [];
  const member = fc.nat(2);
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('transfer' as const),
      from: member,
      to: member,
      amount: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({
      kind: fc.constant('debit' as const),
      from: member,
      amount: fc.integer({ min: 1, max: 40 }),
      allowPartial: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('reverse' as const), place: fc.nat(), allowPartial: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      await Promise.all(
        steps.map(async (one) => {
          if (one.kind === 'reverse') {
            const id = made[one.place % Math.max(1, made.length)];
            return id && reverse(id, { allowPartial: one.allowPartial });
          }
          const from = members[one.from] as Member;
          if (one.kind === 'debit') return debit(from.id, one.amount, { allowPartial: one.allowPartial });
          const body = { toUserId: (members[one.to] as Member).id, amount: one.amount };
          const { data } = await from.client.attempt(transferKeys, { body });
          if (data) made.push(data.transaction.transactionId);
        }),
      );
      assert.deepEqual(await ledgerFaults(platform.database), []);
    }),
    { numRuns: 8 },
  );
});
