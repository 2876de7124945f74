import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/live.ts';
import { streamedPrices } from './streams.ts';

// What is asked of the feed when the watched symbols change, and that prices go on meanwhile.

/** Of servers behind which feeds usually stand. */
const SHORTEST_LONGEST_URL = 8_000;
type Mode = 'ok' | 'fail' | 'hang';

/** A feed that remembers its requests; the test sends the prices. */
async function aFeed() {
  const open = new Map<ServerResponse, string[]>();
  const asked: string[][] = [];
  const urls: string[] = [];
  let mode: Mode = 'ok';
  const server = createServer((request, response) => {
    const symbols = new URL(request.url ?? '', 'http://feed').searchParams.get('symbols')?.split(',') ?? [];
    asked.push(symbols);
    urls.push(request.url ?? '');
    if (mode === 'hang') return;
    if (mode === 'fail' || (request.url?.length ?? 0) > SHORTEST_LONGEST_URL) {
      response.writeHead(mode === 'fail' ? 503 : 431).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    open.set(response, symbols);
    response.on('close', () => open.delete(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const got: string[] = [];
  const errors: Error[] = [];
  const feed = streamedPrices({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream?plan=a`,
    onError: (error) => errors.push(error),
  })(({ symbol }) => got.push(symbol));
  after(() => {
    feed.close();
    server.closeAllConnections();
    server.close();
  });
  const tick = () => {
    for (const [response, symbols] of open)
      for (const symbol of symbols)
        response.write(`data: ${JSON.stringify({ symbol, price: 1, change: 0, changePercent: 0 })}\n\n`);
  };
  return {
    feed,
    asked,
    urls,
    errors,
    got,
    open,
    tick,
    become: (next: Mode) => {
      mode = next;
    },
    isWatching: (...symbols: string[]) => {
      const all = [...open.values()].flat();
      return all.length === symbols.length && symbols.every((symbol) => all.includes(symbol));
    },
  };
}

test('many long symbols are asked for by several requests, whose addresses are short', async () => {
  const { feed, urls, isWatching, errors, open } = await aFeed();
  const symbols = Array.from({ length: 500 }, (_, n) => `A${n}`.padEnd(29, n % 2 ? '/' : '!'));
  feed.watch(symbols);
  await until(() => isWatching(...symbols), 'all are asked for');
  assert.ok(open.size > 1);
  for (const url of urls) assert.ok(url.length < 4_200 && url.includes('plan=a&'), url);
  assert.deepEqual(errors, []);
  // What is left of a stream is asked for anew, and a stream without symbols ends.
  feed.watch(symbols.slice(0, 10));
  await until(() => isWatching(...symbols.slice(0, 10)), 'the others have ended');
  assert.equal(open.size, 1);
  feed.watch([]);
  await until(() => open.size === 0, 'nothing is asked for');
});

test('symbols that change all the time keep nobody waiting, and reopen a stream at most once a second', async () => {
  const { feed, asked, isWatching, got, tick } = await aFeed();
  feed.watch(['GOLD']);
  await until(() => isWatching('GOLD'), 'the first');
  const startedMs = performance.now();
  let isOn = false;
  const toggling = setInterval(() => {
    isOn = !isOn;
    feed.watch(isOn ? ['GOLD', 'EURUSD', 'NOISE'] : ['GOLD', 'EURUSD']);
    tick();
  }, 20);
  await until(() => got.includes('EURUSD'), 'prices for the newcomer');
  await until(() => asked.length >= 4, 'it is reopened');
  clearInterval(toggling);
  assert.ok(asked.length - 1 <= (performance.now() - startedMs) / 1_000 + 1, String(asked.length));
});

test('prices go on until the next stream is open, also while it cannot be opened', async () => {
  const { feed, asked, isWatching, got, tick, become, errors } = await aFeed();
  feed.watch(['GOLD']);
  await until(() => isWatching('GOLD'), 'the first');
  become('hang');
  feed.watch(['GOLD', 'EURUSD']);
  await until(() => asked.length === 2, 'the next is asked for');
  feed.watch(['GOLD', 'EURUSD', 'SILVER']);
  tick();
  await until(() => got.includes('GOLD'), 'a price meanwhile');
  await sleep(1_500);
  assert.equal(asked.length, 2, 'a request that is under way is not replaced');
  assert.deepEqual(errors, []);
  feed.watch([]);
  await until(() => isWatching(), 'all end');
  become('ok');
  feed.watch(['GOLD']);
  await until(() => isWatching('GOLD'), 'another first');
  become('fail');
  feed.watch(['GOLD', 'EURUSD']);
  await until(() => errors.length > 0, 'a failure');
  got.length = 0;
  tick();
  await until(() => got.includes('GOLD'), 'a price in spite of it');
  become('ok');
  await until(() => isWatching('GOLD', 'EURUSD'), 'both');
});

test('a stream that ends is opened again', async () => {
  const { feed, open, isWatching, asked } = await aFeed();
  feed.watch(['GOLD']);
  await until(() => isWatching('GOLD'), 'the first');
  for (const response of open.keys()) response.destroy();
  await until(() => asked.length === 2 && isWatching('GOLD'), 'another');
});

test('what a feed sends with a refusal is not kept open', async () => {
  let open = 0;
  const openAtRequest: number[] = [];
  const server = createServer((_request, response) => {
    openAtRequest.push(++open);
    response.on('close', () => open--);
    response.writeHead(503).write('a text whose end does not come');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`;
  const feed = streamedPrices({ url, onError: () => undefined })(() => undefined);
  after(() => {
    feed.close();
    server.closeAllConnections();
    server.close();
  });
  feed.watch(['GOLD']);
  await until(() => openAtRequest.length === 3, 'it is asked again');
  assert.deepEqual(openAtRequest, [1, 1, 1]);
});
