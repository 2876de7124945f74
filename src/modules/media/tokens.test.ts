import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { secretsOf } from '../../kernel/secrets.ts';
import { HOUR_MS, manualClock } from '../../kernel/time/time.ts';
import { playbackTokens } from './tokens.ts';

const [video, viewer] = ['6740f1c2a9b3e4d5f6a7b8c9', '6740f1c2a9b3e4d5f6a7b8ca'];

test('a playback token opens one video for one viewer until well after its end', () => {
  const clock = manualClock(1_800_000_000_000);
  const tokens = playbackTokens({ secrets: secretsOf(['a secret key']), clock });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 * HOUR_MS }), (durationMs) => {
      const { token, expiresAt } = tokens.issue(video, viewer, durationMs);
      assert.deepEqual(tokens.read(token), { videoId: video, viewerId: viewer, expiresAt });
      assert.ok(expiresAt.getTime() >= clock.now() + 3 * durationMs + 4 * HOUR_MS);
      assert.ok(expiresAt.getTime() <= clock.now() + 3 * durationMs + 5 * HOUR_MS);
    }),
  );
  const { token, expiresAt } = tokens.issue(video, viewer, 1000);
  clock.set(expiresAt.getTime());
  assert.equal(tokens.read(token), 'expired');
});

test('a cached token expires on time and does not validate others', () => {
  const clock = manualClock(1_800_000_000_000);
  const tokens = playbackTokens({ secrets: secretsOf(['a secret key']), clock });
  const { token, expiresAt } = tokens.issue(video, viewer, 1000);
  for (let reads = 0; reads < 3; reads++)
    assert.deepEqual(tokens.read(token), { videoId: video, viewerId: viewer, expiresAt });
  assert.equal(tokens.read(token.replace(video, viewer)), 'forged');
  assert.equal(tokens.read(`${token}=`), 'forged');
  clock.set(expiresAt.getTime());
  assert.equal(tokens.read(token), 'expired');
  clock.set(expiresAt.getTime() - 1);
  assert.notEqual(tokens.read(token), 'expired');
});

test('any other text is not a valid token', () => {
  const clock = manualClock(1_800_000_000_000);
  const tokens = playbackTokens({ secrets: secretsOf(['a secret key']), clock });
  const { token } = tokens.issue(video, viewer, 1000);
  const place = fc.integer({ min: 0, max: token.length - 1 });
  const character = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.');
  fc.assert(
    fc.property(place, character, (at, other) => {
      fc.pre(token[at] !== other);
      assert.equal(tokens.read(token.slice(0, at) + other + token.slice(at + 1)), 'forged');
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => assert.equal(tokens.read(text), 'forged')));
  const others = playbackTokens({ secrets: secretsOf(['another secret key']), clock });
  assert.equal(others.read(token), 'forged');
});

test('a token stays the same for an hour, so that caches work', () => {
  const clock = manualClock(1_800_000_000_000 - (1_800_000_000_000 % HOUR_MS) + 1);
  const tokens = playbackTokens({ secrets: secretsOf(['a secret key']), clock });
  const { token } = tokens.issue(video, viewer, HOUR_MS);
  clock.advance(HOUR_MS - 2);
  assert.equal(tokens.issue(video, viewer, HOUR_MS).token, token);
});
