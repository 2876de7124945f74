import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  convertKeysToMoney,
  convertMoneyToKeys,
  getExchangeRate,
  listActiveExchangeRates,
  listAudit,
  listExchangeRates,
  setExchangeRate,
} from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { rateNotFound } from './exchange-rates.ts';

const platform = await startPlatform();
const { admin } = platform;
const { client } = await platform.newMember();
const set = async (rate: number, currency: string, more: object = {}) =>
  (await admin.call(setExchangeRate, { body: { rate, currency, ...more } })).data;
const current = async (currency = 'USD') =>
  (await client.call(getExchangeRate, { query: { currency } })).data;

test('the default exchange rate is one US dollar', async () => {
  const { status, data } = await client.call(getExchangeRate);
  assert.equal(status, 200);
  const { _id, effectiveFrom, ...rate } = data;
  assert.deepEqual(rate, {
    rate: 1,
    currency: 'USD',
    isActive: true,
    effectiveTo: null,
    updatedBy: { email: 'system' },
    notes: '',
  });
  assertRefused(await client.attempt(getExchangeRate, { query: { currency: 'GBP' } }), rateNotFound);
});

test('a new rate ends the former at the same instant, as the history shows', async () => {
  const before = await current();
  const { status, data, body } = await admin.call(setExchangeRate, {
    // Fields that a client may not set are ignored.
    body: { rate: 0.1, currency: 'USD', notes: 'Spring', ...{ isActive: false, _id: 'x' } },
  });
  assert.deepEqual([status, body.message], [201, 'Exchange rate updated successfully']);
  assert.deepEqual(
    [data.rate, data.currency, data.isActive, data.effectiveTo, data.notes, data.updatedBy.email],
    [0.1, 'USD', true, null, 'Spring', 'admin@example.com'],
  );
  assert.deepEqual(await current(), data);
  const { data: history, body: page } = await client.call(listExchangeRates, { query: { limit: 1 } });
  assert.deepEqual(history, [data]);
  assert.equal(page.pagination.total, 2);
  const former = (await client.call(listExchangeRates)).data[1];
  assert.deepEqual(former, { ...before, isActive: false, effectiveTo: data.effectiveFrom });
  const { data: log } = await admin.call(listAudit, { query: { action: 'exchange-rate.set' } });
  assert.deepEqual(log[0]?.details, { rate: 0.1, currency: 'USD', notes: 'Spring' });
});

test('of rates set concurrently one is active, and each ends where the next begins', async () => {
  const rates = Array.from({ length: 20 }, (_, place) => (place + 1) / 100);
  await Promise.all(rates.map((rate) => set(rate, 'EUR')));
  const { data: history } = await client.call(listExchangeRates, { query: { currency: 'EUR' } });
  assert.equal(history.length, 20);
  assert.equal(history.filter(({ isActive }) => isActive).length, 1);
  for (const [place, rate] of history.entries()) {
    assert.equal(rate.effectiveTo, place === 0 ? null : history[place - 1]?.effectiveFrom);
  }
  const { data: active } = await client.call(listActiveExchangeRates);
  assert.deepEqual(
    active.map(({ currency }) => currency),
    ['EUR', 'USD'],
  );
});

test('invalid rates and currencies are 422 without effect', async () => {
  const before = await current();
  const misfit = async (draft: object) => {
    const { status, body } = await admin.raw('POST', '/v1/exchange-rates', draft);
    return [status, body.errors?.[0]?.field];
  };
  for (const rate of [0, -1, 1e-11, 1.00000000001, 1_000_000_001, '1', null, undefined]) {
    assert.deepEqual(await misfit({ rate, currency: 'USD' }), [422, 'rate'], String(rate));
  }
  for (const currency of ['usd', 'XYZ', 'EURO', '', 7]) {
    assert.deepEqual(await misfit({ rate: 1, currency }), [422, 'currency'], String(currency));
  }
  assertInvalid(await admin.sendText('POST', '/v1/exchange-rates', '{"rate": 1e999}'));
  assert.deepEqual(await current(), before);
  for (const rate of [1e-10, 1_000_000_000]) assert.equal((await set(rate, 'JPY')).rate, rate);
});

/** The same with whole numbers alone: a rate and an amount of money as multiples of 10^-10. */
const UNIT = 10n ** 10n;
const exact = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(10, '0'));
};

test('conversions round half-up to cents and down to whole Keys', async () => {
  const decimal = (most: number, places: number) =>
    fc
      .tuple(fc.nat({ max: most }), fc.nat({ max: 10 ** places - 1 }))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(places, '0')}`)
      .filter((text) => Number(text) > 0);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(decimal(2, 1), decimal(5, 4), decimal(1000, 10)),
      decimal(100_000, 2),
      fc.nat({ max: 10_000_000 }),
      async (rateText, moneyText, keys) => {
        await set(Number(rateText), 'CHF');
        const rate = exact(rateText);
        const worth = await client.call(convertKeysToMoney, { body: { keys, currency: 'CHF' } });
        const cents = (BigInt(keys) * rate * 100n * 2n + UNIT) / (2n * UNIT);
        assert.deepEqual(worth.data, { keys, usd: Number(cents) / 100, currency: 'CHF' });
        const usd = Number(moneyText);
        const bought = await client.call(convertMoneyToKeys, { body: { usd, currency: 'CHF' } });
        assert.deepEqual(bought.data, { usd, keys: Number(exact(moneyText) / rate), currency: 'CHF' });
      },
    ),
    { numRuns: 40, examples: [['0.1', '0.3', 3]] },
  );
});

test('a currency without a rate converts to nothing', async () => {
  const currency = 'SEK';
  assertRefused(await client.attempt(convertKeysToMoney, { body: { keys: 1, currency } }), rateNotFound);
  assertRefused(await client.attempt(convertMoneyToKeys, { body: { usd: 1, currency } }), rateNotFound);
});

test('conversions of invalid or excessive amounts are 422', async () => {
  const convert = (way: string, body: object) =>
    client.raw('POST', `/v1/exchange-rates/convert/${way}`, body);
  const worth = async (keys: number) => (await client.call(convertKeysToMoney, { body: { keys } })).data.usd;
  for (const keys of [-1, 1.5, '5', null, undefined, 2 ** 53])
    assertInvalid(await convert('keys-to-usd', { keys }), String(keys));
  for (const usd of [-0.01, '5', null, undefined, 1e16])
    assertInvalid(await convert('usd-to-keys', { usd }), String(usd));
  assert.equal(await worth(0), 0);
  await set(1e-10, 'USD');
  const { body } = await client.attempt(convertMoneyToKeys, { body: { usd: 1e15 } });
  assert.equal(body.errors?.[0]?.field, 'usd');
  assert.equal(await worth(Number.MAX_SAFE_INTEGER), 900719.93);
});
