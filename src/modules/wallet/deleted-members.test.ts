import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changeWallet,
  deleteUser,
  fundWalletAsAdmin,
  getStatement,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { userNotFound } from '../identity/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;

type Member = Awaited<ReturnType<typeof platform.newMember>>;

const remove = ({ id }: Member) =>
  admin.call(deleteUser, { params: { userId: id }, body: { remainingKeys: 'forfeit' } });
const transfer = (from: Member, to: Member, amount = 1) =>
  from.client.attempt(transferKeys, { body: { toUserId: to.id, amount } });
const fund = ({ id }: Member) => admin.attempt(fundWalletAsAdmin, { body: { userId: id, amount: 5 } });

async function walletOf({ id }: Member): Promise<{ balance: number; isActive: boolean } | undefined> {
  const rows = await database.all(
    'select balance, is_active as "isActive" from wallet.account where name = $1',
    [`wallet:${id}`],
  );
  return rows[0] as never;
}

async function assertClosed(sender: Member, gone: Member): Promise<void> {
  for (const answer of await Promise.all([transfer(sender, gone), fund(gone)])) {
    assert.deepEqual([answer.status, answer.body.message], [404, 'User not found']);
  }
}

test('deleted persons cannot receive Keys, and their history is kept', async () => {
  const sender = await platform.newMemberWith(100);
  const [rich, poor] = [await platform.newMemberWith(7), await platform.newMember()];
  assert.equal((await transfer(sender, rich, 3)).status, 201);
  for (const one of [rich, poor]) {
    assert.equal((await remove(one)).status, 200);
    await assertClosed(sender, one);
  }
  assert.deepEqual(await walletOf(rich), { balance: 0, isActive: false });
  assert.equal(await walletOf(poor), undefined);
  const statement = await admin.call(getStatement, { params: { userId: rich.id } });
  assert.equal(statement.data.entries.length, 3);
  assert.equal((await platform.platform.wallet.verify()).faults.length, 0);
});

test('no wallet can be created for a deleted person', async () => {
  const gone = await platform.newMemberWith(1);
  const open = () => admin.attempt(changeWallet, { params: { userId: gone.id }, body: { isActive: true } });
  const answers = await Promise.all([open(), open(), remove(gone), open(), open()]);
  assert.ok(answers.every(({ status }) => [200, 404].includes(status)));
  assertRefused(await open(), userNotFound);
  assert.equal((await walletOf(gone))?.isActive, false);
});

test('transfers concurrent with a deletion arrive before it or not at all', async () => {
  for (const keys of [undefined, 0, 4]) {
    const sender = await platform.newMemberWith(1000);
    const gone = keys === undefined ? await platform.newMember() : await platform.newMemberWith(keys);
    const before = Array.from({ length: 15 }, () => transfer(sender, gone));
    const removing = remove(gone);
    const answers = await Promise.all([
      ...before,
      ...Array.from({ length: 15 }, () => transfer(sender, gone)),
    ]);
    assert.equal((await removing).status, 200);
    assert.ok(answers.every(({ status }) => [201, 404].includes(status)));
    const wallet = await walletOf(gone);
    assert.equal(wallet?.balance ?? 0, 0, 'what had arrived was forfeited, and nothing arrived afterwards');
    assert.notEqual(wallet?.isActive, true);
    await assertClosed(sender, gone);
  }
});

test('a payment of a deleted person is recorded and can be refunded', async () => {
  const gone = await platform.newMemberWith(0);
  const { link } = await platform.checkout(gone, 50);
  assert.equal((await remove(gone)).status, 200);
  await platform.pay(link);
  await until(async () => (await walletOf(gone))?.balance === 50, 'the Keys that were paid for');
  assert.equal((await walletOf(gone))?.isActive, false);
  assert.equal((await platform.platform.wallet.verify()).faults.length, 0);
});

test('the failed withdrawal of a deleted person returns the Keys', async () => {
  const gone = await platform.newMemberWith(500);
  const { data } = await gone.client.call(withdrawKeys, { body: { amount: 200 } });
  assert.equal((await remove(gone)).status, 200);
  const settled = await admin.call(settleWithdrawal, {
    params: { transactionId: data.transaction.transactionId },
    body: { outcome: 'failed', reason: 'the account is deleted' },
  });
  assert.equal(settled.status, 200);
  await until(async () => (await walletOf(gone))?.balance === 200, 'the Keys');
  assert.equal((await platform.platform.wallet.verify()).faults.length, 0);
});
