import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  buyKeys,
  getBalance,
  listTransactions,
  setExchangeRate,
  withdrawKeys,
} from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { priceOutOfRange } from '../../merchant/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
await platform.standIn('payments', { payouts: 'hold' });
type Member = Awaited<ReturnType<typeof platform.newMember>>;

const setRate = async (rate: number): Promise<void> => {
  assert.equal((await admin.call(setExchangeRate, { body: { rate, currency: 'USD' } })).status, 201);
};
const centsOf = (usd: number): number => Math.round(usd * 100);
/** The cost of a part, in cents; the price is that of the checkout, paid or not. */
async function priceOf({ client }: Member, amount: number): Promise<number> {
  const { data } = await client.call(buyKeys, { body: { amount } });
  return centsOf(data.usdAmount);
}
/** The payouts of the parts, in cents; parts worth less than a cent are refused and stay in the wallet. */
async function payoutsOf({ client }: Member, parts: number[]): Promise<number> {
  for (const amount of parts) {
    const { status, body } = await client.attempt(withdrawKeys, { body: { amount } });
    assert.ok(status === 201 || body.error === 'AMOUNT_TOO_SMALL', `${status} ${body.error}`);
  }
  const { data } = await client.call(listTransactions, { query: { type: 'withdrawal', limit: 100 } });
  const shown = data.map(({ metadata }) => centsOf(Number(metadata.usdAmount)));
  return shown.reduce((sum, cents) => sum + cents, 0);
}
/** Cuts a number of Keys into parts. */
function cut(keys: number, sizes: number[]): number[] {
  const parts: number[] = [];
  let left = keys;
  for (const size of sizes) {
    if (left - size <= 0) break;
    parts.push(size);
    left -= size;
  }
  return [...parts, left];
}

test('100 Keys that were bought for 0.60 are not paid out as 1.00', async () => {
  await setRate(0.006);
  const ada = await platform.newMemberWith(100);
  assert.equal(await priceOf(ada, 100), 60);
  const [one, three, hundred] = await Promise.all(
    [1, 3, 96].map((amount) => ada.client.attempt(withdrawKeys, { body: { amount } })),
  );
  assert.deepEqual([one?.status, one?.body.error], [400, 'AMOUNT_TOO_SMALL']);
  assert.deepEqual([three?.status, hundred?.status], [201, 201]);
  const rows = await database.all('select cents from merchant.payout where user_id = $1 order by cents', [
    ada.id,
  ]);
  assert.deepEqual(
    rows.map(({ cents }) => cents),
    [1, 57],
    '0.018 and 0.576, rounded down',
  );
});

test('Keys never pay out more than they cost, at any rate and in any portions', async () => {
  const rate = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }).map((thousandths) => thousandths / 1_000),
    fc.integer({ min: 1_000_000, max: 30_000_000_000 }).map((units) => Number((units / 1e10).toFixed(10))),
  );
  await fc.assert(
    fc.asyncProperty(
      rate,
      fc.nat({ max: 160 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
      async (perKey, extra, sizes) => {
        await setRate(perKey);
        // The provider takes nothing below fifty cents.
        const keys = Math.ceil(0.5 / perKey) + extra;
        const member = await platform.newMemberWith(keys);
        const cost = await priceOf(member, keys);
        const brought = await payoutsOf(member, cut(keys, sizes));
        assert.ok(brought <= cost, `${keys} Keys at ${perKey}: bought for ${cost}, paid out as ${brought}`);
      },
    ),
    {
      numRuns: 40,
      examples: [
        [0.504, 0, []],
        [0.006, 16, Array.from({ length: 40 }, () => 2)],
        [0.0149, 0, [1, 1, 1, 1, 1]],
      ],
    },
  );
  await setRate(1);
});

test('a withdrawal of an inexpressible amount is 400 and holds nothing', async () => {
  const ada = await platform.newMemberWith(1_000_000_000_000);
  const withdraw = async (amount: number) => {
    const { status, body } = await ada.client.attempt(withdrawKeys, { body: { amount } });
    return [status, body.error];
  };
  for (const [rate, amount] of [
    [1e9, 1_000_000_000_000],
    [1e9, 100_000],
    [1, 10_000_000_000],
    [0.1, 100_000_000_000],
  ] as const) {
    await setRate(rate);
    assert.deepEqual(await withdraw(amount), [400, 'AMOUNT_TOO_LARGE'], `${amount} at ${rate}`);
  }
  assert.equal((await ada.client.call(getBalance)).data.balance, 1_000_000_000_000);
  await setRate(1);
  assert.deepEqual(await withdraw(9_999_999_999), [201, undefined]);
  await setRate(1e9);
  const bought = await ada.client.attempt(buyKeys, { body: { amount: 1_000_000_000_000 } });
  assertRefused(bought, priceOutOfRange);
  await setRate(1);
});
