import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import type { Failure } from '../../../kernel/failures.ts';
import { idMaker } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { exchangeRateStore } from './exchange-rates.store.ts';
import { exchangeRateRules } from './exchange-rates.ts';

// What Keys are worth and what money buys at its limits: the rules on a real database, without a platform around them.

const { database } = await ownDatabase();
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock = { now: () => nowMs, date: () => new Date(nowMs), elapsedMs: () => nowMs };
const done: unknown[][] = [];
const rules = exchangeRateRules({
  store: exchangeRateStore(database),
  database,
  audit: {
    record: async (_tx: unknown, { action, details }: Record<string, unknown>) =>
      done.push(['audit', action, details]),
  } as never,
  events: {
    publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
      done.push(['publish', name, data]),
  } as never,
  clock,
  newId: idMaker(clock),
});
const ADMIN = { kind: 'user', userId: 'root', email: 'root@example.com' } as UserCaller;
const set = (rate: number, currency = 'USD', notes = '') =>
  rules.set(
    { rate, currency, notes },
    ADMIN,
    { requestId: 'q' } as never,
    { record: () => undefined } as never,
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    (result) => result,
    ({ status, code, message }: Failure) => (status === 422 ? status : code === 'NOT_FOUND' ? message : code),
  );
const NO_RATE = 'Exchange rate not found';

test('a rate begins where the former one ends, and is recorded and announced', async () => {
  const first = await set(2, 'EUR', 'first');
  assert.deepEqual([first.isActive, first.rate, first.updatedBy], [true, 2, { email: 'root@example.com' }]);
  nowMs += 1_000;
  const second = await set(3, 'EUR');
  const third = await set(4, 'EUR');
  assert.deepEqual(second.effectiveFrom, new Date(nowMs));
  assert.deepEqual(third.effectiveFrom, new Date(nowMs + 1), 'each lasts for a millisecond at least');
  const { items } = await rules.history('EUR', { page: 1, limit: 9 });
  assert.deepEqual(
    items.map(({ rate, isActive, effectiveTo }) => [rate, isActive, effectiveTo]),
    [
      [4, true, null],
      [3, false, third.effectiveFrom],
      [2, false, second.effectiveFrom],
    ],
  );
  assert.deepEqual(done.slice(0, 2), [
    ['audit', 'exchange-rate.set', { currency: 'EUR', rate: 2, notes: 'first' }],
    ['publish', 'wallet.exchange-rate-changed', { currency: 'EUR', rate: 2 }],
  ]);
  assert.equal((await rules.current('EUR')).rate, 4);
  const { items: active } = await rules.active({ page: 1, limit: 9 });
  assert.deepEqual(
    active.map(({ currency, rate }) => [currency, rate]),
    [
      ['EUR', 4],
      ['USD', 1],
    ],
  );
  assert.equal(active[1]?.updatedBy.email, 'system');
});

test('a deleted administrator is replaced in rates of the time in which the address was theirs', async () => {
  const by = async (email: string, currency: string) => {
    await rules.set(
      { rate: 2, currency, notes: '' },
      { ...ADMIN, email },
      { requestId: 'q' } as never,
      { record: () => undefined } as never,
    );
    return currency;
  };
  const former = await by('desk@example.com', 'DKK');
  nowMs += DAY_MS;
  const movedAt = nowMs;
  const present = await by('eve@example.com', 'ISK');
  nowMs += 2 * DAY_MS;
  const others = await by('desk@example.com', 'HUF');
  const names = [{ name: 'desk@example.com', since: 0, until: movedAt }];
  const person = { userId: 'eve', emails: ['eve@example.com'], names, emailsUntil: new Date(nowMs) };
  for (const _time of [1, 2]) await rules.erase(person);
  const shown = [];
  for (const currency of [former, present, others])
    shown.push((await rules.current(currency)).updatedBy.email);
  assert.deepEqual(
    shown,
    ['deleted', 'deleted', 'desk@example.com'],
    'the desk is that of a colleague since',
  );
});

test('of rates that are set at once each begins where another ends', async () => {
  await Promise.all([5, 6, 7, 8].map((rate) => set(rate, 'AUD')));
  const { items } = await rules.history('AUD', { page: 1, limit: 9 });
  assert.deepEqual(items.map(({ rate }) => rate).toSorted(), [5, 6, 7, 8]);
  const ends = items.map(({ effectiveTo }) => effectiveTo);
  assert.deepEqual(ends, [null, ...items.slice(0, -1).map(({ effectiveFrom }) => effectiveFrom)]);
});

test('a rate has at most ten decimals, however it is written', async () => {
  for (const [rate, isFine] of [
    [1e-10, true],
    [1e-11, false],
    [1.5e-9, true],
    [1.5e-10, false],
    [0.0000000001, true],
    [1.00000000001, false],
    [1.0000000001, true],
    [12_345, true],
  ] as const)
    assert.equal((await codeOf(set(rate, 'CHF'))) === 422, !isFine, String(rate));
});

test('money buys whole Keys, and a price in money takes as many as cover it', async () => {
  await set(0.3, 'CHF');
  for (const [money, bought, price] of [
    [0.3, 1, 1],
    [0.9, 3, 3],
    [1, 3, 4],
    [0.29, 0, 1],
    [0.31, 1, 2],
    [0, 0, 0],
  ] as const) {
    assert.equal(await rules.keysFor(money, 'CHF'), bought, String(money));
    assert.equal(await rules.priceInKeys(money, 'CHF'), price, String(money));
  }
  await set(1e-10, 'CHF');
  assert.equal(await rules.keysFor(900_000, 'CHF'), 9e15);
  assert.equal(await codeOf(rules.keysFor(901_000, 'CHF')), 422);
  assert.equal(await rules.priceInKeys(900_000, 'CHF'), 9e15);
  assert.equal(await codeOf(rules.priceInKeys(901_000, 'CHF')), 'INSUFFICIENT_BALANCE');
});

test('prices are converted together as each alone, in their order, and null where nobody can pay', async () => {
  await set(0.3, 'CHF');
  await set(1e-10, 'NOK');
  const prices = [
    { price: 1, currency: 'CHF' },
    { price: 1, currency: 'SEK' },
    { price: 0.3, currency: 'CHF' },
    { price: 901_000, currency: 'NOK' },
    { price: 1, currency: 'CHF' },
  ];
  assert.deepEqual(await rules.pricesInKeys(prices), [4, null, 1, null, 4]);
  assert.deepEqual(await rules.pricesInKeys([]), []);
});

test('a currency without a rate has no price', async () => {
  for (const ask of [rules.current, (currency: string) => rules.worthOf(1, currency)])
    assert.equal(await codeOf(ask('SEK')), NO_RATE);
  assert.equal(await codeOf(rules.keysFor(1, 'SEK')), NO_RATE);
  assert.equal(await codeOf(rules.priceInKeys(1, 'SEK')), 'NO_EXCHANGE_RATE');
});

test('what is bought is rounded half up to the cent, and what is paid out is rounded down', async () => {
  await set(0.105);
  for (const [keys, price, payout] of [
    [1, 0.11, 0.1],
    [2, 0.21, 0.21],
    [101, 10.61, 10.6],
    [100, 10.5, 10.5],
  ] as const) {
    assert.deepEqual(await rules.priceOf(keys), { usdAmount: price, cents: Math.round(price * 100) });
    assert.deepEqual(await rules.payoutOf(keys, 100_000), {
      usdAmount: payout,
      cents: Math.round(payout * 100),
    });
  }
  assert.equal(await rules.worthOf(101, 'USD'), 10.61);
  assert.deepEqual(await rules.payoutOf(100, 1_050), { usdAmount: 10.5, cents: 1_050 });
  assert.equal(await codeOf(rules.payoutOf(100, 1_049)), 'AMOUNT_TOO_LARGE');
  await set(0.005);
  assert.deepEqual((await rules.priceOf(1)).cents, 1);
  assert.equal(await codeOf(rules.payoutOf(1, 100)), 'AMOUNT_TOO_SMALL');
  assert.deepEqual((await rules.payoutOf(2, 100)).cents, 1);
  await set(0.004);
  assert.equal(await codeOf(rules.priceOf(1)), 'AMOUNT_TOO_SMALL');
});
