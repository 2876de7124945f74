import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getProfile, refreshToken } from '../../sdk/src/index.ts';
import type { Tier } from '../../src/gateway/limits/tiers.model.ts';
import { TIER_WINDOWS } from '../../src/gateway/limits/tiers.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const MINUTE_MS = 60_000;

/** Stops the clock at an instant, such as the beginning of a minute, an hour and a day. */
const standAt = (iso: string) => {
  const ms = Date.parse(iso);
  platform.clock.now = () => ms;
  return ms;
};

test('each tier has its own rate limits', () => {
  const limits = (tier: Tier) => TIER_WINDOWS[tier]?.map(({ limit }) => limit);
  assert.deepEqual(limits('mobile'), [60, 1_000, 20_000]);
  assert.deepEqual(limits('live_platform'), [120, 5_000, 100_000]);
  assert.deepEqual(limits('crm'), [300, 15_000, 300_000]);
  assert.deepEqual(limits('third_party'), [60, 2_000, 40_000]);
  assert.equal(limits('admin'), undefined);
});

test('rate-limit headers count down to a 429 with Retry-After, after which requests work again', async () => {
  const { key } = await platform.newKey('mobile');
  const client = platform.client.with({ 'x-api-key': key });
  const start = standAt('2030-01-01T00:00:20.000Z');
  for (let left = 59; left >= 0; left--) {
    const { status, headers } = await client.attempt(refreshToken, { body: { refreshToken: 'x' } });
    assert.equal(status, 401);
    assert.deepEqual(
      [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')],
      ['60', String(left)],
    );
    assert.equal(headers.get('x-ratelimit-reset'), String((start + 40_000) / 1000));
  }
  const refused = await client.attempt(refreshToken, { body: { refreshToken: 'x' } });
  assert.equal(refused.status, 429);
  assert.deepEqual(
    [refused.body.message, refused.body.error],
    ['Rate limit exceeded. Please wait.', 'RATE_LIMIT_EXCEEDED'],
  );
  assert.deepEqual([refused.headers.get('retry-after'), refused.body.meta.retryAfter], ['40', 40]);
  standAt('2030-01-01T00:01:00.000Z');
  assert.equal((await client.attempt(refreshToken, { body: { refreshToken: 'x' } })).status, 401);
});

test('hourly limits apply, and the headers show the tightest window', async () => {
  const { key } = await platform.newKey('mobile');
  const client = platform.client.with({ 'x-api-key': key });
  const start = Date.parse('2030-02-01T00:00:00.000Z');
  let sent = 0;
  for (let minute = 0; sent < 1_000; minute++) {
    platform.clock.now = () => start + minute * MINUTE_MS;
    const batch = Math.min(59, 1_000 - sent);
    const answers = await Promise.all(
      Array.from({ length: batch }, () => client.raw('POST', '/v1/auth/refresh-token', {})),
    );
    assert.ok(answers.every(({ status }) => status === 422));
    sent += batch;
  }
  platform.clock.now = () => start + 30 * MINUTE_MS;
  const refused = await client.raw('POST', '/v1/auth/refresh-token', {});
  assert.equal(refused.status, 429);
  assert.deepEqual(
    [refused.headers.get('x-ratelimit-limit'), refused.headers.get('retry-after')],
    ['1000', '1800'],
  );
});

test('requests are counted separately for each key and caller', async () => {
  const now = Date.now();
  platform.clock.now = () => now;
  const { key } = await platform.newKey('mobile');
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const left = async (client: typeof ada.client) =>
    (await client.with({ 'x-api-key': key }).call(getProfile)).headers.get('x-ratelimit-remaining');
  assert.deepEqual(
    [await left(ada.client), await left(ada.client), await left(ben.client)],
    ['59', '58', '59'],
  );
  const { key: other } = await platform.newKey('mobile');
  const elsewhere = await ada.client.with({ 'x-api-key': other }).call(getProfile);
  assert.equal(elsewhere.headers.get('x-ratelimit-remaining'), '59');
  const anonymous = await platform.client.with({ 'x-api-key': key }).attempt(getProfile);
  assert.deepEqual(
    [anonymous.status, anonymous.headers.get('x-ratelimit-remaining')],
    [401, '59'],
    'by address',
  );
});
