import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Price } from '../../external/prices/port.ts';
import type { Connection } from './connection.ts';
import { priceBoard } from './prices.ts';

const FLUSH_MS = 260;

test('prices are conflated, and a slow client receives only the newest', async () => {
  let watched: string[] = [];
  let onPrice: (price: Price) => void = () => undefined;
  const ticks: [string, number][] = [];
  const put = (connection: Connection, frame: Buffer) => {
    const { data } = JSON.parse(frame.subarray(frame.indexOf('{')).toString());
    ticks.push([`${connection.token} ${data.symbol}`, data.price]);
  };
  const board = priceBoard({
    openFeed: (tell) => {
      onPrice = tell;
      const watch = (symbols: string[]) => {
        watched = symbols;
      };
      return { watch, close: () => undefined };
    },
    outbox: { put } as never,
  });
  const connection = (token: string) => ({ token, socket: { writableLength: 0 } }) as Connection;
  const [quick, slow] = [connection('quick'), connection('slow')];
  const price = (symbol: string, value: number) =>
    onPrice({ symbol, price: value, change: 0, changePercent: 0 });
  for (const one of [quick, slow]) assert.ok(board.watch(one, ['A', 'B']));
  assert.deepEqual(watched, ['A', 'B']);
  for (const value of [1, 2, 3]) price('A', value);
  price('C', 1);
  await sleep(FLUSH_MS);
  assert.deepEqual(ticks.splice(0), [
    ['quick A', 3],
    ['slow A', 3],
  ]);
  Object.assign(slow.socket, { writableLength: 100_000 });
  price('A', 4);
  price('B', 5);
  await sleep(FLUSH_MS);
  price('A', 6);
  await sleep(FLUSH_MS);
  assert.deepEqual(ticks.splice(0), [
    ['quick A', 4],
    ['quick B', 5],
    ['quick A', 6],
  ]);
  Object.assign(slow.socket, { writableLength: 0 });
  await sleep(FLUSH_MS);
  assert.deepEqual(ticks.splice(0).sort(), [
    ['slow A', 6],
    ['slow B', 5],
  ]);
  board.forget(quick);
  board.unwatch(slow, ['A']);
  assert.deepEqual(watched, ['B']);
  board.close();
});

test('a process watches a limited number of distinct symbols, and the known ones for everybody', () => {
  const asked: string[][] = [];
  const board = priceBoard({
    openFeed: () => ({ watch: (symbols) => asked.push(symbols), close: () => undefined }),
    outbox: { put: () => undefined } as never,
  });
  const connection = () => ({ socket: { writableLength: 0 } }) as Connection;
  const greedy = Array.from({ length: 50 }, connection);
  for (const [place, one] of greedy.entries())
    assert.ok(
      board.watch(
        one,
        Array.from({ length: 100 }, (_, n) => `S${place}-${n}`),
      ),
    );
  const other = connection();
  assert.equal(board.watch(other, ['S0-0', 'GOLD']), false);
  assert.equal(other.symbols, undefined);
  assert.equal(asked.at(-1)?.length, 5_000);
  assert.ok(board.watch(other, ['S0-0', 'S0-0']));
  board.unwatch(greedy[1] as Connection, ['S1-0']);
  assert.ok(board.watch(other, ['GOLD', 'GOLD']));
  assert.equal(asked.at(-1)?.includes('GOLD'), true);
  board.close();
});

test('the only watcher of a symbol who leaves and returns at once gets its newest price, also one that came meanwhile', () => {
  let onPrice: (price: Price) => void = () => undefined;
  const prices: number[] = [];
  const put = (_connection: Connection, frame: Buffer) =>
    void prices.push(JSON.parse(frame.subarray(frame.indexOf('{')).toString()).data.price);
  const board = priceBoard({
    openFeed: (tell) => {
      onPrice = tell;
      return { watch: () => undefined, close: () => undefined };
    },
    outbox: { put } as never,
  });
  const one = { socket: { writableLength: 0 } } as Connection;
  const price = (value: number) => onPrice({ symbol: 'A', price: value, change: 0, changePercent: 0 });
  for (const meanwhile of [() => undefined, () => price(2)]) {
    assert.ok(board.watch(one, ['A']));
    if (prices.length === 0) price(1);
    board.unwatch(one, ['A']);
    meanwhile();
    assert.ok(board.watch(one, ['A']));
    board.sendNewest(one, ['A']);
    board.unwatch(one, ['A']);
  }
  assert.deepEqual(prices, [1, 2]);
  board.close();
});
