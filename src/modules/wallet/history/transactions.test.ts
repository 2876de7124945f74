import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTransaction, listTransactions, signIn, transferKeys } from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { toReference } from '../../../kernel/ids.ts';
import { transactionNotFound } from './transactions.ts';

const platform = await startPlatform();
const ada = await platform.newMemberWith(1000);
const ben = await platform.newMember();
const [foreign] = (await (await platform.newMemberWith(5)).client.call(listTransactions)).data;
const DAY_MS = 24 * 60 * 60 * 1000;
for (let amount = 1; amount <= 5; amount++) {
  await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount } });
}
platform.clock.advance(2 * DAY_MS);
const later = await platform.client.call(signIn, {
  body: {
    email: ada.email,
    password: 'a password for tests',
    platform: 'web',
  },
});
const client = platform.client.as(later.data.accessToken);
await client.call(transferKeys, { body: { toUserId: ben.id, amount: 6 } });

const list = async (query: TypesOf<typeof listTransactions>['query'] = {}) => {
  const { data, body } = await client.call(listTransactions, { query });
  return { pagination: body.pagination, amounts: data.map(({ amount }) => amount) };
};
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test('transactions are listed newest first, each on one page', async () => {
  const whole = await list();
  assert.deepEqual(whole.amounts, [6, 5, 4, 3, 2, 1, 1000]);
  assert.deepEqual(whole.pagination, { page: 1, limit: 50, total: 7, pages: 1 });
  const pages = [
    await list({ limit: 3 }),
    await list({ limit: 3, page: 2 }),
    await list({ limit: 3, page: 3 }),
  ];
  assert.deepEqual(
    pages.flatMap(({ amounts }) => amounts),
    whole.amounts,
  );
  assert.deepEqual(pages[2]?.pagination, { page: 3, limit: 3, total: 7, pages: 3 });
  assert.deepEqual((await list({ limit: 3, page: 4 })).amounts, []);
  assert.deepEqual((await list({ limit: 3, page: 1_000_000_000 })).amounts, []);
});

test('beyond the last transfer there is none, also in a wallet that began with one', async () => {
  const bens = await platform.client.call(signIn, {
    body: { email: ben.email, password: 'a password for tests', platform: 'web', device: 'list' },
  });
  const { data, body } = await platform.client
    .as(bens.data.accessToken)
    .call(listTransactions, { query: { type: 'transfer', limit: 3, page: 9 } });
  assert.deepEqual([data, body.pagination.total], [[], 6]);
});

test('a transaction is read by its id as in the list of its owner, and by nobody else', async () => {
  const bens = await platform.client.call(signIn, {
    body: { email: ben.email, password: 'a password for tests', platform: 'web' },
  });
  for (const owner of [client, platform.client.as(bens.data.accessToken)]) {
    const { data } = await owner.call(listTransactions);
    assert.ok(data.length > 5);
    for (const one of data)
      assert.deepEqual(
        (await owner.call(getTransaction, { params: { transactionId: one.transactionId } })).data,
        one,
      );
  }
  const [newest] = (await client.call(listTransactions)).data;
  const params = { transactionId: newest?.transactionId ?? '' };
  const cat = await platform.newMember();
  assertRefused(await cat.client.attempt(getTransaction, { params }), transactionNotFound);
  assert.equal(
    (await client.attempt(getTransaction, { params: { transactionId: 'x' } })).body.error,
    'INVALID_ID',
  );
});

test('the list continues after each transaction, whatever the filter, with the total of all', async () => {
  const { data } = await client.call(listTransactions);
  const idOf = (amount: number) => data.find((one) => one.amount === amount)?.transactionId ?? '';
  const today = dayOf(platform.clock.now());
  const firstDay = dayOf(platform.clock.now() - 2 * DAY_MS);
  for (const [before, query, expected, total] of [
    [4, {}, [3, 2, 1, 1000], 7],
    [4, { limit: 2 }, [3, 2], 7],
    [1000, {}, [], 7],
    [3, { type: 'transfer' }, [2, 1], 6],
    [3, { type: 'fund' }, [1000], 1],
    [1000, { type: 'fund' }, [], 1],
    [6, { status: 'completed' }, [5, 4, 3, 2, 1, 1000], 7],
    [6, { endDate: firstDay }, [5, 4, 3, 2, 1, 1000], 6],
    [3, { endDate: firstDay }, [2, 1, 1000], 6],
    [3, { startDate: today }, [], 1],
  ] as const) {
    const { amounts, pagination } = await list({ ...query, before: idOf(before) });
    assert.deepEqual([amounts, pagination.total], [expected, total], `${before} ${JSON.stringify(query)}`);
  }
  for (const before of [foreign?.transactionId, toReference('txn', 'f'.repeat(24))]) {
    const { status, body } = await client.attempt(listTransactions, { query: { before: before ?? '' } });
    assert.deepEqual([status, body.errors?.map(({ field }) => field)], [422, ['before']], before);
  }
});

test('transactions are filtered by type, status and period', async () => {
  assert.deepEqual((await list({ type: 'fund' })).amounts, [1000]);
  const transfers = await list({ type: 'transfer', limit: 2 });
  assert.deepEqual([transfers.amounts, transfers.pagination.total], [[6, 5], 6]);
  assert.deepEqual((await list({ status: 'pending' })).amounts, []);
  assert.equal((await list({ status: 'completed' })).amounts.length, 7);
  const today = dayOf(platform.clock.now());
  assert.deepEqual(
    (await list({ startDate: today, endDate: today })).amounts,
    [6],
    'a date is its whole day',
  );
  const firstDay = dayOf(platform.clock.now() - 2 * DAY_MS);
  assert.equal((await list({ endDate: firstDay })).amounts.length, 6);
  const zoned = await list({ startDate: `${firstDay}T00:00:00Z`, endDate: '2100-01-01T00:00:00+02:00' });
  assert.equal(zoned.amounts.length, 7);
});

test('invalid queries are 422 and name the field', async () => {
  const cases: [string, string][] = [
    ['?page=0', 'page'],
    ['?page=x', 'page'],
    ['?limit=0', 'limit'],
    ['?limit=1.5', 'limit'],
    ['?limit=1&limit=2', 'limit'],
    ['?page=99999999999999999999', 'page'],
    ['?type=gift', 'type'],
    ['?status=done', 'status'],
    ['?startDate=yesterday', 'startDate'],
    ['?startDate=2025-02-30', 'startDate'],
    ['?startDate=2026-02-02&endDate=2026-02-01', 'startDate'],
  ];
  for (const [query, field] of cases) {
    const answer = await client.raw('GET', `/v1/wallets/transactions${query}`);
    assertInvalid(answer, query);
    assert.deepEqual(
      answer.body.errors?.map((fault) => fault.field),
      [field],
      query,
    );
  }
});

test('a limit above the maximum is lowered', async () => {
  assert.equal((await list({ limit: 500 })).pagination.limit, 100);
});
