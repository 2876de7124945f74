// Which refusals of sign-ins are remembered, and for how long, without a platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cache } from '../../../kernel/distributed/cache.ts';
import { signInRefusals } from './refusals.ts';

function refusals() {
  const stored = new Map<string, string>();
  let now = Date.parse('2026-11-01T12:00:00Z');
  const cache = {
    get: async (key: string) => stored.get(key),
    set: async (key: string, value: string) => void stored.set(key, value),
  } as unknown as Cache;
  const clock = { now: () => now, date: () => new Date(now), elapsedMs: () => now };
  const pass = (seconds: number): void => {
    now += seconds * 1_000;
  };
  return { ...signInRefusals(cache, clock), pass };
}
const times = (at: Date) => at.toISOString().slice(11, 19);

test('a refusal lasts until its end, and begins with the first of its network', async () => {
  const { of, note, pass } = refusals();
  await note('ada@example.com', '203.0.113.7', 600);
  pass(60);
  await note('ada@example.com', '203.0.113.7', 540);
  await note('ada@example.com', '198.51.100.1', 900);
  assert.deepEqual(
    (await of('ada@example.com')).map(({ address, since, until }) => [address, times(since), times(until)]),
    [
      ['198.51.100.1', '12:01:00', '12:16:00'],
      ['203.0.113.7', '12:00:00', '12:10:00'],
    ],
  );
  assert.deepEqual(await of('ben@example.com'), []);
  pass(541);
  assert.deepEqual(
    (await of('ada@example.com')).map(({ address }) => address),
    ['198.51.100.1'],
  );
  pass(360);
  assert.deepEqual(await of('ada@example.com'), []);
});

test('the last five networks are kept', async () => {
  const { of, note } = refusals();
  for (let last = 1; last <= 7; last++) await note('ada@example.com', `203.0.113.${last}`, 60);
  const kept = (await of('ada@example.com')).map(({ address }) => address.slice(-1));
  assert.deepEqual(kept, ['7', '6', '5', '4', '3']);
});
