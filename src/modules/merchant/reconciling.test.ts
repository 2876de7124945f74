import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBalance, listTransactions, withdrawKeys } from '../../../sdk/src/index.ts';
import { holding } from '../../../test/support/holding.ts';
import { PATIENCE_MS, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import type { Transaction } from '../../kernel/database/queries.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const balanceOf = async ({ client }: Member): Promise<number> => (await client.call(getBalance)).data.balance;
/** Waits until it is so: the job runs by itself each minute, too. */
async function becomes<T>(what: () => Promise<T>, expected: T, message?: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; (await what()) !== expected; await sleep(50)) {
    if (Date.now() > deadline) assert.equal(await what(), expected, message);
  }
}
const hold = async (tx: Transaction, name: string): Promise<void> => {
  await tx.execute('select from wallet.account where name = $1 for update', [name]);
};
const reconcile = () => platform.platform.runJob('merchant.reconcile');
async function attemptsOf(session: string): Promise<number> {
  const rows = await database.all('select attempts from merchant.checkout where session_id = $1', [session]);
  return rows[0]?.attempts as number;
}
/** Opens a checkout and pays it while webhooks are lost. */
async function paid(): Promise<{ member: Member; id: string }> {
  const member = await platform.newMember();
  const { id, link } = await platform.checkout(member, 10);
  await platform.pay(link);
  return { member, id };
}

test('failing checkouts are postponed one by one without delaying others', async () => {
  await platform.standIn('payments', { webhooks: false, webhookPause: 600_000 });
  const failing = [await paid(), await paid(), await paid()];
  const others: Member[] = [];
  for (let place = 0; place < 12; place++) others.push((await paid()).member);
  await platform.standIn('payments', { failing: failing.map(({ id }) => id) });
  platform.clock.advance(61_000);
  await reconcile();
  for (const other of others) await becomes(() => balanceOf(other), 10);
  for (const { id } of failing) await becomes(() => attemptsOf(id), 1);
  await reconcile();
  for (const { id } of failing) await becomes(() => attemptsOf(id), 1, 'not before its time');
  platform.clock.advance(61_000);
  await reconcile();
  for (const { id } of failing) await becomes(() => attemptsOf(id), 2);
  platform.clock.advance(61_000);
  await reconcile();
  for (const { id } of failing) await becomes(() => attemptsOf(id), 2, 'twice as long the second time');
  await platform.standIn('payments', { failing: [] });
  platform.clock.advance(61_000);
  await reconcile();
  for (const { member, id } of failing) {
    await becomes(() => balanceOf(member), 10);
    await becomes(() => attemptsOf(id), 0);
  }
});

test('a locked wallet postpones only its own checkout', async () => {
  await platform.standIn('payments', { webhooks: false, webhookPause: 600_000 });
  const [held, other] = [await paid(), await paid()];
  platform.clock.advance(61_000);
  await holding(database, async (tx) => {
    await hold(tx, `wallet:${held.member.id}`);
    await reconcile();
    await becomes(() => balanceOf(other.member), 10);
  });
  assert.equal(await balanceOf(held.member), 0);
  platform.clock.advance(61_000);
  await reconcile();
  await becomes(() => balanceOf(held.member), 10);
});

test('a payout that cannot be processed is postponed without delaying others', async () => {
  const members = [await platform.newMemberWith(50), await platform.newMemberWith(50)] as const;
  await platform.standIn('payments', { webhooks: false, payouts: 'hold', webhookPause: 600_000 });
  for (const { client } of members) await client.call(withdrawKeys, { body: { amount: 10 } });
  const submitted = "select count(*) from merchant.payout where status = 'submitted'";
  await until(async () => (await database.count(submitted)) >= 2, 'both payouts to be submitted');
  await platform.standIn('payments', { payouts: 'paid', payoutDelay: 0 });
  const statusOf = async ({ client }: Member) =>
    (await client.call(listTransactions, { query: { type: 'withdrawal' } })).data[0]?.status;
  platform.clock.advance(61_000);
  await holding(database, async (tx) => {
    await hold(tx, `hold:${members[0].id}`);
    await reconcile();
    await becomes(() => statusOf(members[1]), 'completed');
    assert.equal(await statusOf(members[0]), 'pending');
  });
  platform.clock.advance(61_000);
  await reconcile();
  await becomes(() => statusOf(members[0]), 'completed');
});
