import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  getTransactionAsAdmin,
  listAllTransactions,
  transferKeys,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { MOST_COUNTED } from '../../../kernel/database/pagination.ts';
import { invalidId } from '../../../kernel/failures.ts';
import { transactionNotFound } from '../history/transactions.ts';

const platform = await startPlatform();
const { admin, database } = platform;
await platform.standIn('payments', { payouts: 'hold', webhookPause: 50 });

type Query = NonNullable<TypesOf<typeof listAllTransactions>['query']>;
const list = async (query: Query) => (await admin.call(listAllTransactions, { query })).data;
const find = (transactionId: string) => admin.attempt(getTransactionAsAdmin, { params: { transactionId } });
async function transfer(from: Member, to: Member, amount: number): Promise<string> {
  const { data } = await from.client.call(transferKeys, { body: { toUserId: to.id, amount } });
  return data.transaction.transactionId;
}
async function withdraw({ client }: Member, amount: number): Promise<string> {
  return (await client.call(withdrawKeys, { body: { amount } })).data.transaction.transactionId;
}

test('a transfer shows both sides with their owners and balances', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(1)];
  const id = await transfer(ada, ben, 30);
  await transfer(ben, ada, 5);
  const { data } = await find(id);
  assert.deepEqual(
    [data?.from?.owner?.id, data?.from?.balanceBefore, data?.from?.balanceAfter, data?.amount],
    [ada.id, 100, 70, 30],
  );
  assert.deepEqual(
    [data?.to?.owner?.email, data?.to?.balanceBefore, data?.to?.balanceAfter],
    [ben.email, 1, 31],
  );
  assert.ok(data?.from?.owner?.name);
  assert.deepEqual([data?.checkout, data?.payout], [null, null]);
  const listed = (await list({ userId: ada.id })).find(({ transactionId }) => transactionId === id);
  assert.deepEqual(listed, data);
});

test('bought Keys come with their checkout, and are found by its session', async () => {
  const ada = await platform.newMember();
  const { id, link } = await platform.checkout(ada, 10);
  await platform.pay(link);
  const [bought, ...others] = await list({ checkoutSessionId: id });
  assert.deepEqual(others, []);
  assert.deepEqual(
    [bought?.from, bought?.to?.owner?.id, bought?.to?.balanceAfter, bought?.type],
    [null, ada.id, 10, 'fund'],
  );
  assert.deepEqual(
    [bought?.checkout?.providerId, bought?.checkout?.status, bought?.checkout?.lastError],
    [id, 'paid', null],
  );
  assert.deepEqual(await list({ checkoutSessionId: 'cs_of_nobody' }), []);
});

test('a withdrawal comes with its payout, and names its member', async () => {
  const ada = await platform.newMemberWith(50);
  const id = await withdraw(ada, 20);
  const { data } = await find(id);
  assert.deepEqual(
    [data?.from?.owner?.id, data?.from?.balanceAfter, data?.to, data?.status],
    [ada.id, 30, null, 'pending'],
  );
  assert.ok(['queued', 'submitting', 'submitted'].includes(data?.payout?.status ?? ''));
  const pending = await list({ userId: ada.id, status: 'pending' });
  assert.deepEqual(
    pending.map(({ transactionId }) => transactionId),
    [id],
  );
});

test('transactions are filtered by type, status, member, amount and time', async () => {
  const [ada, ben] = [await platform.newMemberWith(5_000), await platform.newMemberWith(0)];
  platform.clock.advance(60_000);
  const from = platform.clock.date().toISOString();
  const small = await transfer(ada, ben, 3);
  const large = await transfer(ada, ben, 2_000);
  const ids = async (query: Query) => (await list(query)).map(({ transactionId }) => transactionId);
  assert.deepEqual(await ids({ userId: ben.id, from }), [large, small]);
  assert.deepEqual(await ids({ from, type: 'transfer' }), [large, small]);
  assert.deepEqual(await ids({ from, minAmount: 4 }), [large]);
  assert.deepEqual(await ids({ from, minAmount: 2_000 }), [large]);
  assert.deepEqual(await ids({ from, minAmount: 2_001 }), []);
  assert.deepEqual(await ids({ from, minAmount: 1_000, userId: ada.id }), [large]);
  assert.deepEqual(await ids({ from, type: 'fund' }), []);
  assert.deepEqual(await ids({ from, status: 'pending' }), []);
  assert.deepEqual(await ids({ from, status: 'failed', type: 'transfer' }), []);
  assert.deepEqual(await ids({ userId: ada.id, type: 'fund' }), await ids({ userId: ada.id, to: from }));
  assert.deepEqual(await ids({ userId: 'f'.repeat(24) }), []);
});

test('a cursor continues lists of everybody and of one member, whatever is added', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  await Promise.all(Array.from({ length: 9 }, () => transfer(ada, ben, 1)));
  for (const filter of [{ userId: ada.id }, {}, { userId: ben.id, type: 'transfer' as const }]) {
    const whole = (await list({ ...filter, limit: 9 })).map(({ transactionId }) => transactionId);
    const seen: string[] = [];
    for (let before: string | undefined; seen.length < whole.length; before = seen.at(-1)) {
      const rows = await list({ ...filter, limit: 2, before });
      seen.push(...rows.map(({ transactionId }) => transactionId));
      await transfer(ada, ben, 1);
    }
    assert.deepEqual(seen.slice(0, whole.length), whole);
  }
  const others = await transfer(await platform.newMemberWith(1), ben, 1);
  for (const before of [others, `txn_${'Z'.repeat(20)}`])
    assertInvalid(await admin.raw('GET', `/v1/wallets/admin/transactions?userId=${ada.id}&before=${before}`));
});

test('the summary sums up all that the filter matches, whatever the page', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMember()];
  const { link } = await platform.checkout(ada, 10);
  await platform.pay(link);
  for (const amount of [1, 2, 3]) await transfer(ada, ben, amount);
  await withdraw(ada, 7);
  const summaryOf = async (query: Query) => {
    const {
      body: { meta },
    } = await admin.call(listAllTransactions, { query: { ...query, limit: 1, summary: true } });
    return meta.summary;
  };
  const all = await summaryOf({ userId: ada.id });
  assert.deepEqual([all?.count, all?.keys, all?.usd], [6, 100 + 10 + 6 + 7, 10 + 7]);
  const transfers = await summaryOf({ userId: ada.id, type: 'transfer' });
  const oldest = (await list({ userId: ada.id, type: 'transfer' })).at(-1);
  assert.deepEqual(transfers, { count: 3, keys: 6, usd: 0, oldestAt: oldest?.createdAt });
  const none = await summaryOf({ userId: ada.id, minAmount: 1_000_000 });
  assert.deepEqual(none, { count: 0, keys: 0, usd: 0, oldestAt: null });
  const nobody = await summaryOf({ userId: (await platform.newMember()).id });
  assert.deepEqual(nobody, { count: 0, keys: 0, usd: 0, oldestAt: null }, 'without a wallet');
  const {
    body: { meta },
  } = await admin.call(listAllTransactions, { query: { userId: ada.id } });
  assert.equal(meta.summary, undefined);
});

test('dollars in the metadata of an administrator count for nothing', async () => {
  const ada = await platform.newMember();
  for (const usdAmount of ['many', 5])
    await admin.raw('POST', '/v1/wallets/admin/fund', {
      userId: ada.id,
      amount: 1,
      metadata: { usdAmount, checkoutSessionId: { odd: true }, withdrawalId: 'x' },
    });
  const {
    body: { meta },
    data,
  } = await admin.call(listAllTransactions, {
    query: { userId: ada.id, summary: true },
  });
  assert.deepEqual([meta.summary?.count, meta.summary?.usd, data[0]?.checkout], [2, 0, null]);
});

test('the total stops, and says so', async () => {
  const ada = await platform.newMember();
  await database.transaction(async (tx) => {
    await tx.all("select set_config('session_replication_role', 'replica', true)");
    await tx.execute(
      `insert into wallet.transaction (id, type, status, to_user_id, amount, created_at)
       select lpad(to_hex(i), 24, '0'), 'fund', 'completed', $1, 1, '1970-01-01' from generate_series(1, $2::int) i`,
      [ada.id, MOST_COUNTED + 1],
    );
  });
  const { body } = await admin.raw('GET', '/v1/wallets/admin/transactions?type=fund&limit=1');
  assert.deepEqual([body.pagination?.total, body.pagination?.totalIsExact], [MOST_COUNTED, false]);
});

test('transactions of deleted members stay, and have no owner', async () => {
  const [ada, ben] = [await platform.newMemberWith(10), await platform.newMember()];
  const id = await transfer(ada, ben, 10);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  const { data } = await find(id);
  assert.deepEqual([data?.from?.userId, data?.from?.owner, data?.from?.balanceBefore], [ada.id, null, 10]);
});

test('unknown transactions are 404, malformed ids 400, and invalid filters 422', async () => {
  assertRefused(await find(`txn_${'0'.repeat(20)}`), transactionNotFound);
  assertRefused(await find('txn_short'), invalidId('transaction'));
  const path = '/v1/wallets/admin/transactions';
  for (const query of [
    'minAmount=0',
    'minAmount=x',
    'type=gift',
    'from=2026-02-01&to=2026-01-01',
    'summary=1',
    'x=1',
    'minAmount=9007199254740993',
  ])
    assertInvalid(await admin.raw('GET', `${path}?${query}`));
  assert.equal((await admin.raw('GET', `${path}?minAmount=9007199254740991&from=0001-01-01`)).status, 200);
});
