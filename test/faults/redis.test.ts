import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { getProfile, signIn as signInOperation } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { PRODUCTION, runProgram } from '../support/programs.ts';
import { startClusterNode, startRedis } from '../support/redis.ts';
import { stopClock } from '../support/stopped-clock.ts';

const redis = await startRedis();

test('while Redis is down limits still apply and no request fails', {
  skip: redis ? false : 'no redis-server here',
}, async (t) => {
  if (!redis) return;
  const platform = await startPlatform({ REDIS_URL: redis.url, LOG_LEVEL: 'silent' });
  stopClock(t, platform.clock);
  const ada = await platform.newMember();
  const client = ada.client.with({});
  const left = async (): Promise<number> => {
    const { status, headers } = await client.attempt(getProfile);
    assert.equal(status, 200);
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const signIn = async (password: string) =>
    (await client.attempt(signInOperation, { body: { email: ada.email, password, platform: 'backoffice' } }))
      .status;
  platform.clock.set(Math.ceil(platform.clock.now() / 900_000) * 900_000 + 1000);
  const fresh = await platform.client.call(signInOperation, {
    body: {
      email: ada.email,
      password: PASSWORD,
      platform: 'web',
    },
  });
  client.headers.authorization = `Bearer ${fresh.data.accessToken}`;

  // While Redis does not answer in time, as on a busy machine, this process counts for itself: a further key is tried.
  await until(async () => {
    client.headers['x-api-key'] = (await platform.newKey('mobile')).key;
    return String([await left(), await left()]) === '59,58';
  }, 'Redis to count');
  await redis.kill();
  assert.equal(await left(), 59, 'this process counts for itself');
  assert.equal(await left(), 58);
  assert.deepEqual([await signIn('wrong'), await signIn(PASSWORD)], [401, 200]);
  await redis.restart();
  // The process's own count only decreases, while the restarted Redis starts from the beginning.
  let before = 58;
  await until(async () => {
    // One minute has sixty requests: those wait that Redis would not count yet.
    await until(async () => (await platform.metric('redis_up')) === 1, 'Redis');
    const now = await left();
    const isCountedAnew = now > before;
    before = now;
    return isCountedAnew;
  }, 'Redis to count again');
});

test('a frozen Redis shows in readiness and metrics, requests are still served, and it is used again later', {
  skip: redis ? false : 'no redis-server here',
}, async () => {
  if (!redis) return;
  const platform = await startPlatform({ REDIS_URL: redis.url, LOG_LEVEL: 'silent' });
  const { client } = await platform.newMember();
  const health = async () =>
    (await (await fetch(`${platform.url}/health/ready`)).json()) as { status: string; degraded?: string[] };
  assert.equal((await health()).degraded, undefined);
  assert.equal(await platform.metric('redis_up'), 1);
  redis.freeze();
  await until(async () => (await health()).degraded?.includes('redis') === true, 'the loss');
  assert.equal((await health()).status, 'ready');
  assert.equal(await platform.metric('redis_up'), 0);
  for (let count = 0; count < 20; count++) assert.equal((await client.call(getProfile)).status, 200);
  redis.thaw();
  await until(async () => (await health()).degraded === undefined, 'the recovery');
  assert.equal(await platform.metric('redis_up'), 1);
});

test('a Redis that refuses what is written shows in readiness, metrics and one line of the log for each change', {
  skip: redis ? false : 'no redis-server here',
}, async () => {
  if (!redis) return;
  const platform = await startPlatform({ REDIS_URL: redis.url, LOG_LEVEL: 'warn' });
  // Requests with a key of the Admin tier have no limit that Redis would count.
  const client = (await platform.newMember()).client.with({
    'x-api-key': (await platform.newKey('mobile')).key,
  });
  const { Redis } = await import('ioredis');
  const operator = new Redis(redis.url);
  const degraded = async () =>
    ((await (await fetch(`${platform.url}/health/ready`)).json()) as { degraded?: string[] }).degraded;
  const linesOf = (text: string) => platform.logged.filter((line) => line.includes(text)).length;
  const changes: Record<'begin' | 'end', [string, ...string[]]>[] = [
    { begin: ['config', 'set', 'maxmemory', '1'], end: ['config', 'set', 'maxmemory', '0'] },
    { begin: ['replicaof', '127.0.0.1', '1'], end: ['replicaof', 'no', 'one'] },
  ];
  for (const [place, { begin, end }] of changes.entries()) {
    await operator.call(...begin);
    await until(async () => {
      assert.equal((await client.call(getProfile)).status, 200);
      return (await degraded())?.includes('redis') === true;
    }, 'the refusals');
    assert.equal(await platform.metric('redis_up'), 0);
    await operator.call(...end);
    await until(async () => (await degraded()) === undefined, 'the recovery, without a request');
    assert.equal(await platform.metric('redis_up'), 1);
    assert.deepEqual(
      [linesOf('the server refuses what is written'), linesOf('redis accepts writes again')],
      [place + 1, place + 1],
    );
  }
  operator.disconnect();
});

test('a node of a Redis Cluster as a single server makes the start fail with a clear message', {
  skip: redis ? false : 'no redis-server here',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-cluster-'));
  const node = await startClusterNode(folder);
  assert.ok(node);
  const { url, drop } = await newDatabase();
  const { code, complaints } = await runProgram(['src/main.js', 'start'], {
    ...PRODUCTION,
    DATABASE_URL: url,
    REDIS_URL: node.url,
  });
  assert.equal(code, 1);
  assert.match(
    complaints,
    /^REDIS_URL names a node of a Redis Cluster as if it were a single server\. Begin it with redis\+cluster:.*$/m,
  );
  assert.doesNotMatch(complaints, /\n +at /);
  await node.kill();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
