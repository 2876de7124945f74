import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WARN_MS } from '../../kernel/live/live-limits.ts';
import { MINUTE_MS, SECOND_MS, systemClock } from '../../kernel/time/time.ts';
import type { Authenticated } from '../identity/contract.ts';
import { accessReview } from './access-review.ts';
import { Connection } from './connection.ts';

const NOW_MS = 1_800_000_000_000;
const LIFETIME_MS = 15 * MINUTE_MS;

const signedIn = (
  keyId: string,
  connection = new Connection({} as never, {} as never, 'address', NOW_MS),
) => {
  const expiresAt = new Date(NOW_MS + LIFETIME_MS);
  connection.signIn({ caller: {}, keyId, expiresAt } as Authenticated, 'a token');
  return connection;
};

/** A review with the ids of the keys that have ended. */
function reviewing(ended: Set<string>, onRead: () => void = () => undefined) {
  let nowMs = NOW_MS;
  const identity = {
    async endedKeys(keyIds: Iterable<string>) {
      const found = new Set([...keyIds].filter((keyId) => ended.has(keyId)));
      onRead();
      return found;
    },
  };
  const { checkKeys } = accessReview({ identity, clock: { ...systemClock, now: () => nowMs } } as never);
  return {
    checkKeys,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('connections whose key has ended are asked for new tokens over twenty seconds, each once', async () => {
  const [leaked, good] = [Array.from({ length: 1_000 }, () => signedIn('leaked')), signedIn('good')];
  const { checkKeys, pass } = reviewing(new Set(['leaked']));
  await checkKeys([...leaked, good]);
  const times = leaked.map(({ renewalAtMs }) => renewalAtMs - NOW_MS).sort((a, b) => a - b);
  const [first, last] = [times[0] as number, times.at(-1) as number];
  assert.ok(first >= 0 && first < 2 * SECOND_MS && last > 18 * SECOND_MS && last <= 20 * SECOND_MS);
  for (const { expiresAtMs } of leaked) assert.equal(expiresAtMs, NOW_MS + 20 * SECOND_MS);
  assert.equal(good.expiresAtMs, NOW_MS + LIFETIME_MS);
  assert.equal(good.renewalAtMs, NOW_MS + LIFETIME_MS - WARN_MS);

  const [asked] = leaked as [Connection];
  asked.renewalAtMs = Number.POSITIVE_INFINITY;
  pass(10 * SECOND_MS);
  await checkKeys(leaked);
  assert.equal(asked.renewalAtMs, Number.POSITIVE_INFINITY);
});

test('a client that sends the same token again is not asked for another one again', () => {
  const connection = signedIn('good');
  connection.renewalAtMs = Number.POSITIVE_INFINITY;
  signedIn('good', connection);
  assert.equal(connection.renewalAtMs, Number.POSITIVE_INFINITY);
  const expiresAt = new Date(NOW_MS + LIFETIME_MS);
  connection.signIn({ caller: {}, keyId: 'good', expiresAt } as Authenticated, 'another token');
  assert.equal(connection.renewalAtMs, NOW_MS + LIFETIME_MS - WARN_MS);
});

test('a connection that signs in while a key ends is found by the next check', async () => {
  const [late, renewed] = [new Connection({} as never, {} as never, 'address', NOW_MS), signedIn('leaked')];
  let isFirst = true;
  const { checkKeys } = reviewing(new Set(['leaked']), () => {
    if (!isFirst) return;
    isFirst = false;
    // Its token was verified before the key ended.
    signedIn('leaked', late);
    signedIn('good', renewed);
  });
  await checkKeys([late, renewed]);
  assert.equal(late.expiresAtMs, NOW_MS + LIFETIME_MS);
  await checkKeys([late, renewed]);
  assert.equal(late.expiresAtMs, NOW_MS + 20 * SECOND_MS);
  assert.equal(renewed.expiresAtMs, NOW_MS + LIFETIME_MS);
});
