import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';
import { startRedis } from '../support/redis.ts';

const redis = await startRedis();

test('Redis lost and back: limits go on, nothing fails', {
  skip: redis ? false : 'no redis-server here',
}, async () => {
  if (!redis) return;
  const platform = await startPlatform({ REDIS_URL: redis.url, LOG_LEVEL: 'silent' });
  const { key } = await platform.newKey('mobile');
  const ada = await platform.newMember();
  const client = ada.client.with({ 'x-api-key': key });
  const left = async (): Promise<number> => {
    const { status, headers } = await client.get('/v1/user/profile');
    assert.equal(status, 200);
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const signIn = async (password: string) =>
    (await client.post('/v1/auth/signin', { email: ada.email, password, platform: 'backoffice' })).status;
  platform.clock.set(Math.ceil(platform.clock.now() / 900_000) * 900_000 + 1000);
  const fresh = await platform.client.post('/v1/auth/signin', {
    email: ada.email,
    password: PASSWORD,
    platform: 'web',
  });
  client.headers.authorization = `Bearer ${fresh.data.accessToken}`;

  assert.deepEqual([await left(), await left()], [59, 58]);
  await redis.kill();
  assert.equal(await left(), 59, 'this process counts for itself');
  assert.equal(await left(), 58);
  assert.deepEqual([await signIn('wrong'), await signIn(PASSWORD)], [401, 200]);
  await redis.restart();
  // What this process counts only shrinks; Redis, which has forgotten everything, starts anew.
  for (let tries = 0, before = await left(); ; tries++) {
    const now = await left();
    if (now > before) break;
    before = now;
    assert.ok(tries < 50, 'Redis counts again');
    await sleep(1_000);
  }
});
