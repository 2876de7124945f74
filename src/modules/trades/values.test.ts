import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeTrade, createTrade, updateTrade } from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';

// What everybody would see on their screens is checked before it is announced.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { client } = await platform.newMember();
const idea = { symbol: 'PEPE', direction: 'long', entryPrice: 1e-12 } as const;

test('prices of trade ideas are within sensible bounds', async () => {
  const { data } = await client.call(createTrade, { body: { ...idea, takeProfit: 1e12 } });
  assert.deepEqual([data.entryPrice, data.takeProfit], [1e-12, 1e12]);
  const params = { tradeId: data.id };
  for (const price of [0, -1, 1e-320, 9e-13, 1.1e12]) {
    for (const field of ['entryPrice', 'stopLoss', 'takeProfit'])
      assertInvalid(await client.attempt(createTrade, { body: { ...idea, [field]: price } }));
    assertInvalid(await client.attempt(updateTrade, { params, body: { stopLoss: price } }));
    assertInvalid(await client.attempt(closeTrade, { params, body: { exitPrice: price } }));
  }
  const { data: changed } = await client.call(updateTrade, { params, body: { takeProfit: null } });
  assert.equal(changed.takeProfit, null);
});

test('a note is empty or has a visible character', async () => {
  const { data } = await client.call(createTrade, { body: { ...idea, note: 'Wait' } });
  const params = { tradeId: data.id };
  for (const note of ['\u200b', ' ', '\n\u2060']) {
    assertInvalid(await client.attempt(createTrade, { body: { ...idea, note } }));
    assertInvalid(await client.attempt(updateTrade, { params, body: { note } }));
  }
  assert.equal((await client.call(updateTrade, { params, body: { note: '' } })).data.note, '');
});
