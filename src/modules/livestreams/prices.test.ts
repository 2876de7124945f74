import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTrade, listTrades } from '../../../sdk/src/index.ts';
import { LiveClient, type LiveMessage } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid } from '../../../test/support/refused.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const gus = await platform.newMember();
const SIGNS = ['^GSPC', '$SPX', 'ES=F', 'BRK.B', 'EUR/USD', 'BTC-USD', 'ES1!', 'M&M.NS', '.DJI'];

const isOf = (symbol: string, price?: number) => (one: LiveMessage) =>
  one.type === 'market:price' &&
  one.data.symbol === symbol &&
  (price === undefined || one.data.price === price);
/** Sets a price at the market. */
const setPrice = (symbol: string, price: number) =>
  fetch(`${platform.sandboxUrl}/control/prices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ symbol, price }),
  });
const subscribe = (watcher: LiveClient, symbols: string[]) =>
  watcher.ask({ type: 'subscribe', channel: 'market', symbols });

test('subscribers receive prices of their symbols, again after an outage', async () => {
  const watcher = await LiveClient.open(platform.url, gus.accessToken);
  const { data } = await subscribe(watcher, ['eurusd', 'GOLD']);
  assert.deepEqual(data, { channel: 'market', symbols: ['EURUSD', 'GOLD'] });
  const price = await watcher.next(isOf('EURUSD'));
  assert.deepEqual(Object.keys(price).sort(), ['data', 'type']);
  assert.deepEqual(Object.keys(price.data), ['symbol', 'price', 'change', 'changePercent']);
  await watcher.next(isOf('GOLD'));
  await setPrice('GOLD', 4242);
  await watcher.next(isOf('GOLD', 4242));
  await watcher.ask({ type: 'unsubscribe', channel: 'market', symbols: ['EURUSD'] });
  const before = watcher.received.filter(isOf('EURUSD')).length;
  for (const mode of ['nonsense', 'fail', 'ok']) await platform.standIn('prices', { mode });
  await setPrice('GOLD', 4343);
  await watcher.next(isOf('GOLD', 4343));
  assert.equal(watcher.received.filter(isOf('EURUSD')).length, before);
  watcher.close();
});

test('symbols have the signs of every market, on the live channel and in trade ideas', async () => {
  const watcher = await LiveClient.open(platform.url, gus.accessToken);
  assert.deepEqual((await subscribe(watcher, SIGNS)).data.symbols, SIGNS);
  for (const symbol of SIGNS) await watcher.next(isOf(symbol), symbol);
  watcher.close();
  const idea = { direction: 'long' as const, entryPrice: 1 };
  for (const symbol of SIGNS) {
    const { data } = await gus.client.call(createTrade, { body: { ...idea, symbol } });
    assert.equal(data.symbol, symbol);
    assert.equal((await gus.client.call(listTrades, { query: { symbol } })).data.length, 1);
  }
  for (const symbol of ['', '^', 'A B', 'A,B', '<b>', '../x', '=F'])
    assertInvalid(await gus.client.attempt(createTrade, { body: { ...idea, symbol } }), symbol);
});

test('a connection subscribes to at most a hundred symbols', async () => {
  const watcher = await LiveClient.open(platform.url, gus.accessToken);
  await subscribe(watcher, ['GOLD']);
  const many = Array.from({ length: 100 }, (_, number) => `S${number}`);
  assert.equal((await subscribe(watcher, many)).data.code, 'TOO_MANY_SYMBOLS');
  watcher.close();
});

test('a member subscribes to at most two hundred different symbols on all their connections', async () => {
  const eve = await platform.newMember();
  const watchers = await Promise.all(
    Array.from({ length: 4 }, () => LiveClient.open(platform.url, eve.accessToken)),
  );
  const hundred = (prefix: string) => Array.from({ length: 100 }, (_, number) => `${prefix}${number}`);
  const [first, ...others] = watchers as [LiveClient, ...LiveClient[]];
  const answers = await Promise.all(
    ['A', 'B', 'C'].map((prefix, place) => subscribe(others[place] as LiveClient, hundred(prefix))),
  );
  assert.deepEqual(answers.map(({ data }) => data.code ?? 'ok').sort(), ['TOO_MANY_SYMBOLS', 'ok', 'ok']);
  const watched = answers.find(({ data }) => !data.code)?.data.symbols ?? [];
  assert.deepEqual((await subscribe(first, watched)).data.symbols, watched, 'the same ones again');
  const his = await LiveClient.open(platform.url, gus.accessToken);
  assert.equal((await subscribe(his, hundred('C'))).type, 'subscribe:success');
  for (const watcher of [his, ...watchers]) watcher.close();
});
