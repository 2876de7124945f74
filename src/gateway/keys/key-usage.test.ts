import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, manualClock, travellingClock } from '../../kernel/time/time.ts';
import type { KeyUse } from './key-usage.store.ts';
import { keyUsage } from './key-usage.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

/** Counts of a process whose database can fail. */
function newUsage() {
  const [stored, errors]: [KeyUse[][], string[]] = [[], []];
  let writing: Promise<void> = Promise.resolve();
  const clock = travellingClock(0, manualClock(NOON));
  const state = { fails: false };
  const usage = keyUsage({
    store: {
      addAll: async (uses) => {
        if (state.fails) throw new Error('the database is away');
        stored.push(uses);
        await writing;
      },
    },
    clock,
    onError: ({ message }) => errors.push(message),
  });
  /** Has the database take until the returned function is called. */
  const delay = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    writing = promise;
    return resolve;
  };
  return { usage, stored, errors, clock, state, delay };
}

test('the uses of a key are added up for each day, with the last of them', async () => {
  const { usage, stored, clock } = newUsage();
  const use = (keyId: string, isRejected: boolean, ms: number) => {
    clock.set(NOON + ms);
    usage.count(keyId, isRejected);
  };
  use('a', false, 5);
  use('a', true, 9);
  use('a', true, 7);
  use('b', false, 0);
  use('a', false, DAY_MS);
  await usage.flush();
  const at = (ms: number) => new Date(NOON + ms);
  assert.deepEqual(stored, [
    [
      { keyId: 'a', lastUsedAt: at(9), requests: 3, rejected: 2 },
      { keyId: 'b', lastUsedAt: at(0), requests: 1, rejected: 0 },
      { keyId: 'a', lastUsedAt: at(DAY_MS), requests: 1, rejected: 0 },
    ],
  ]);
  await usage.flush();
  assert.equal(stored.length, 1, 'nothing is stored twice');
});

test('counts that cannot be stored are kept, reported and stored later with what came since', async () => {
  const { usage, stored, errors, state } = newUsage();
  usage.count('a', true);
  state.fails = true;
  await usage.flush();
  assert.deepEqual([stored, errors], [[], ['the database is away']]);
  usage.count('a', false);
  state.fails = false;
  await usage.flush();
  assert.deepEqual(
    stored.flat().map(({ requests, rejected }) => [requests, rejected]),
    [[2, 1]],
  );
});

test('counts are stored five seconds after the first of them, again and again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { usage, stored } = newUsage();
  const pass = async (seconds: number) => {
    t.mock.timers.tick(1_000 * seconds);
    await new Promise(setImmediate);
    return stored.length;
  };
  usage.count('a', false);
  assert.equal(await pass(4), 0);
  usage.count('a', false);
  assert.equal(await pass(1), 1);
  usage.count('a', false);
  assert.equal(await pass(3), 1);
  await usage.flush();
  usage.count('a', false);
  assert.equal(await pass(3), 2, 'five seconds after the first since then');
  assert.equal(await pass(2), 3);
});

test('one write ends before the next one begins, and a flush when its counts are stored', async () => {
  const { usage, stored, delay } = newUsage();
  const release = delay();
  usage.count('a', false);
  const first = usage.flush().then(() => 'over');
  await new Promise(setImmediate);
  usage.count('b', false);
  const second = usage.flush();
  const soon = new Promise((resolve) => setImmediate(resolve, 'not yet'));
  assert.deepEqual([await Promise.race([first, soon]), stored.length], ['not yet', 1]);
  release();
  await Promise.all([first, second]);
  assert.equal(stored.length, 2);
});
