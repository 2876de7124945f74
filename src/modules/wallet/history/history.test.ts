import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  cancelWithdrawal,
  fundWalletAsAdmin,
  getBalance,
  getOwnStatement,
  getStatement,
  getTransactionStatistics,
  listTransactions,
  setExchangeRate,
  settleWithdrawal,
  transferKeys,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import type { TypesOf } from '../../../../sdk/src/operation.ts';
import { inLanes } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { invalidUserId } from '../../indicators/webhooks/failures.ts';
import { walletNotFound } from '../contract.ts';
import { statementTooLong } from './statements.ts';

const platform = await startPlatform();
const { admin, clock } = platform;
await platform.standIn('payments', { payouts: 'hold' });
const ada = await platform.newMemberWith(10_000);
const ben = await platform.newMemberWith(10_000);

/** A history with everything in it, over some minutes: its times are the clock's, which only goes forward. */
async function act(kind: number): Promise<void> {
  const amount = 1 + (kind % 9);
  if (kind < 6) await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount } });
  else if (kind < 12) await ben.client.call(transferKeys, { body: { toUserId: ada.id, amount } });
  else if (kind < 14) await admin.call(fundWalletAsAdmin, { body: { userId: ada.id, amount } });
  else {
    const { data } = await ada.client.call(withdrawKeys, { body: { amount } });
    const id = data.transaction.transactionId;
    if (kind === 14) await ada.client.call(cancelWithdrawal, { params: { transactionId: id } });
    if (kind > 15) {
      const outcome = kind === 16 ? 'failed' : 'completed';
      await admin.call(settleWithdrawal, { params: { transactionId: id }, body: { outcome } });
    }
  }
  clock.advance((kind * 7_919) % 4_001);
}
const kinds = fc.sample(fc.nat({ max: 17 }), { numRuns: 140, seed: 7 });
for (const kind of kinds) await act(kind);

type Transaction = TypesOf<typeof listTransactions>['data'][number];

async function listed(): Promise<Transaction[]> {
  const items: Transaction[] = [];
  for (let page = 1; ; page++) {
    const { data, body } = await ada.client.call(listTransactions, { query: { limit: 37, page } });
    items.push(...data);
    assert.equal(body.pagination.pages, Math.ceil(body.pagination.total / 37));
    if (page >= body.pagination.pages) return items;
  }
}
const everything = await listed();
const balance = (await ada.client.call(getBalance)).data.balance;
/** Returns the change that a transaction made to Ada's wallet. */
const changeOf = (one: Transaction): number => (one.fromBalanceBefore === null ? one.amount : -one.amount);
const times = everything.map(({ createdAt }) => Date.parse(createdAt));
const oldest = Math.min(...times);
const newest = Math.max(...times);

const filters = fc.record(
  {
    type: fc.constantFrom('fund' as const, 'transfer' as const, 'withdrawal' as const, 'refund' as const),
    status: fc.constantFrom(
      'pending' as const,
      'completed' as const,
      'failed' as const,
      'cancelled' as const,
    ),
    // Instants of entries in the history, and instants just before and after them.
    startDate: fc.tuple(fc.constantFrom(...times), fc.integer({ min: -1, max: 1 })),
    endDate: fc.tuple(fc.constantFrom(...times), fc.integer({ min: -1, max: 1 })),
  },
  { requiredKeys: [] },
);
const instant = (pair: [number, number] | undefined): number | undefined => pair && pair[0] + pair[1];
const textOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
const isWithin = (one: Transaction, from: number, to: number): boolean =>
  Date.parse(one.createdAt) >= from && Date.parse(one.createdAt) <= to;

test('filters and pages return exactly the matching entries of the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(
      filters,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 12 }),
      async ({ type, status, ...dates }, limit, page) => {
        const [from, to] = [instant(dates.startDate), instant(dates.endDate)];
        fc.pre(from === undefined || to === undefined || from <= to);
        const { data, body } = await ada.client.call(listTransactions, {
          query: { limit, page, type, status, startDate: textOf(from), endDate: textOf(to) },
        });
        const picked = everything.filter(
          (one) =>
            (!type || one.type === type) &&
            (!status || one.status === status) &&
            isWithin(one, from ?? oldest, to ?? newest),
        );
        assert.equal(body.pagination.total, picked.length);
        assert.deepEqual(data, picked.slice((page - 1) * limit, page * limit));
      },
    ),
    { numRuns: 250 },
  );
});

test('statistics equal the sums of the list, in any period', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (dates) => {
      const [from, to] = [instant(dates.startDate), instant(dates.endDate)];
      fc.pre(from === undefined || to === undefined || from <= to);
      const { data } = await ada.client.call(getTransactionStatistics, {
        query: { startDate: textOf(from), endDate: textOf(to) },
      });
      const picked = everything.filter((one) => isWithin(one, from ?? oldest, to ?? newest));
      const sum = (some: Transaction[]): number => some.reduce((total, one) => total + changeOf(one), 0);
      const ofType = (type: string) => picked.filter((one) => one.type === type);
      const sumOf = (type: string) => ({ count: ofType(type).length, amount: sum(ofType(type)) });
      const totalIn = sum(picked.filter((one) => changeOf(one) > 0));
      const totalOut = totalIn - sum(picked);
      assert.deepEqual(data, {
        totalIn,
        totalOut,
        netBalance: totalIn - totalOut,
        totalTransactions: picked.length,
        byType: {
          fund: sumOf('fund'),
          transfer: sumOf('transfer'),
          withdrawal: sumOf('withdrawal'),
          ...(ofType('refund').length > 0 ? { refund: sumOf('refund') } : {}),
        },
      });
    }),
    { numRuns: 120 },
  );
  const { data } = await ada.client.call(getTransactionStatistics);
  assert.equal(data.netBalance, balance, 'over all time the balance');
  assert.ok(data.byType.withdrawal.amount < 0);
});

test('past balances agree with the list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...times), fc.integer({ min: -1, max: 1 }), async (time, beside) => {
      const at = time + beside;
      const { data } = await ada.client.call(getBalance, { query: { at: new Date(at).toISOString() } });
      const then = everything.find(({ createdAt }) => Date.parse(createdAt) <= at);
      assert.equal(data.balance, then ? (then.toBalanceAfter ?? then.fromBalanceAfter) : 0);
    }),
    { numRuns: 60 },
  );
  for (const at of ['2001-01-01', '1969-12-31', '0001-01-01']) {
    const { data: early } = await ada.client.call(getBalance, { query: { at } });
    assert.deepEqual([early.balance, early.balanceUSD], [0, 0], `at ${at}, before the wallet and any rate`);
  }
  const later = new Date(clock.now() + 86_400_000).toISOString();
  assert.equal((await ada.client.call(getBalance, { query: { at: later } })).data.balance, balance);
  assertInvalid(await ada.client.attempt(getBalance, { query: { at: 'yesterday' } }));
  const none = await platform.newMember();
  assertRefused(await none.client.attempt(getBalance, { query: { at: '2001-01-01' } }), walletNotFound);
});

test('a past balance is valued at the rate of its time', async () => {
  const then = new Date(clock.now()).toISOString();
  clock.advance(1000);
  await admin.call(setExchangeRate, { body: { rate: 0.5 } });
  assert.equal((await ada.client.call(getBalance, { query: { at: then } })).data.balanceUSD, balance);
  assert.equal((await ada.client.call(getBalance)).data.balanceUSD, balance / 2);
});

test('without a wallet the history is empty and the statistics are zero', async () => {
  const { client } = await platform.newMember();
  const { data, body } = await client.call(listTransactions, { query: { type: 'fund' } });
  assert.deepEqual([data, body.pagination], [[], { page: 1, limit: 50, total: 0, pages: 0 }]);
  const none = { count: 0, amount: 0 };
  assert.deepEqual((await client.call(getTransactionStatistics)).data, {
    totalIn: 0,
    totalOut: 0,
    netBalance: 0,
    totalTransactions: 0,
    byType: { fund: none, transfer: none, withdrawal: none },
  });
});

test('a statement is the same in JSON and CSV, from opening to closing balance', async () => {
  const [startDate, endDate] = [times[100], times[20]].map((time) => new Date(time as number).toISOString());
  const { status, data, headers } = await admin.call(getStatement, {
    params: { userId: ada.id },
    query: { startDate, endDate },
  });
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /json/);
  const inside = everything
    .filter((one) => isWithin(one, Date.parse(startDate as string), Date.parse(endDate as string)))
    .reverse();
  assert.deepEqual(
    data.entries.map(({ transactionId, change }) => [transactionId, change]),
    inside.map((one) => [one.transactionId, changeOf(one)]),
  );
  assert.equal(data.entryCount, inside.length);
  assert.deepEqual([data.userId, data.startDate, data.endDate], [ada.id, startDate, endDate]);
  const changes = data.entries.reduce((sum: number, { change }) => sum + change, 0);
  assert.equal(data.openingBalance + changes, data.closingBalance);
  assert.equal(data.closingBalance, data.entries.at(-1)?.balanceAfter);

  const csv = await admin.call(getStatement, {
    params: { userId: ada.id },
    query: { startDate, endDate, format: 'csv' },
  });
  assert.match(csv.headers.get('content-type') ?? '', /text\/csv/);
  assert.equal(csv.headers.get('content-disposition'), `attachment; filename="statement-${ada.id}.csv"`);
  const lines = String(csv.body).trimEnd().split('\r\n');
  assert.equal(lines.length, inside.length + 3);
  assert.match(lines[1] as string, new RegExp(`opening balance,.*,${data.openingBalance}$`));
  assert.match(lines.at(-1) as string, new RegExp(`closing balance,.*,${data.closingBalance}$`));
});

test('a member gets the statement of their own wallet, and of no other', async () => {
  const query = { startDate: new Date(times[100] as number).toISOString() };
  const { data } = await ada.client.call(getOwnStatement, { query });
  assert.ok(data.entries.length > 50);
  assert.deepEqual(data, (await admin.call(getStatement, { params: { userId: ada.id }, query })).data);
  assert.equal((await ben.client.call(getOwnStatement)).data.userId, ben.id);
  const none = await platform.newMember();
  assertRefused(await none.client.attempt(getOwnStatement), walletNotFound);
});

test('a statement of thousands of entries is complete, and free text cannot inject formulas or columns', async () => {
  const carl = await platform.newMemberWith(10_000);
  const description = '=HYPERLINK("http://evil"),"x"\n@SUM(1)';
  await carl.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1, description } });
  const transfer = { toUserId: ben.id, amount: 1 };
  await inLanes(2500, 100, () => carl.client.call(transferKeys, { body: transfer }));
  const { data } = await admin.call(getStatement, { params: { userId: carl.id } });
  assert.equal(data.entries.length, 2502);
  assert.deepEqual([data.openingBalance, data.closingBalance], [0, 7499]);
  const { body } = await admin.call(getStatement, {
    params: { userId: carl.id },
    query: { format: 'csv' },
  });
  assert.ok(String(body).includes(`,"'=HYPERLINK(""http://evil""),""x""\n@SUM(1)",-1,`));
  assertRefused(await carl.client.attempt(getOwnStatement), statementTooLong);
  const none = await platform.newMember();
  assertRefused(await admin.attempt(getStatement, { params: { userId: none.id } }), walletNotFound);
  assertRefused(await admin.attempt(getStatement, { params: { userId: 'nobody' } }), invalidUserId);
});
