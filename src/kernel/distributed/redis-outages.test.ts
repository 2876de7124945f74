import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { publishUntil } from '../../../test/support/bus.ts';
import { until } from '../../../test/support/live.ts';
import { startClusterNode, startRedis } from '../../../test/support/redis.ts';
import { OperatorFault } from '../operator-fault.ts';
import type { RateWindow } from './rate-limiter.ts';
import { redisCache } from './redis.ts';
import { redisBus } from './redis-bus.ts';

const MINUTE: RateWindow = { name: 'minute', lengthMs: 60_000, limit: 3 };
const server = await startRedis();
const url = server?.url ?? '';

test('without its server a bus keeps working within the process, reports it, and recovers', {
  skip: server ? false : 'no redis-server here',
}, async () => {
  if (!server) return;
  const [one, other] = [await redisBus(url, () => undefined), await redisBus(url, () => undefined)];
  const received: string[] = [];
  let healed = 0;
  for (const [name, bus] of Object.entries({ one, other })) {
    await bus.subscribe('news', (message) => received.push(`${name} ${message}`));
    bus.onReconnect(() => healed++);
  }
  assert.ok(one.isConnected());
  await server.kill();
  await until(() => !one.isConnected() && !other.isConnected(), 'the loss');
  await one.publish('news', 'a');
  await one.subscribe('later', (message) => received.push(`later ${message}`));
  await until(() => received.length > 0, 'the message of this process');
  assert.deepEqual(received, ['one a']);
  await server.restart();
  await until(() => one.isConnected() && other.isConnected() && healed >= 2, 'the healing');
  let number = 0;
  await publishUntil(
    () => other.publish('news', String(++number)),
    () => received.includes(`one ${number}`) && received.includes(`other ${number}`),
  );
  await publishUntil(
    () => other.publish('later', String(++number)),
    () => received.includes(`later ${number}`),
  );
  assert.equal(new Set(received).size, received.length, 'each came once');
  await Promise.all([one.close(), other.close()]);
});

/** The outcome of a call that settles within this turn of the event loop, otherwise `waits`. */
const atOnce = (call: Promise<unknown>): Promise<string> =>
  Promise.race([
    call.then(
      () => 'answered',
      () => 'refused',
    ),
    new Promise<string>((resolve) => setImmediate(resolve, 'waits')),
  ]);

test('a frozen server is detected without traffic, delays no call, and is used again once it responds', {
  skip: server ? false : 'no redis-server here',
}, async (t) => {
  if (!server) return;
  t.after(server.thaw);
  const cache = await redisCache(url, () => undefined);
  const [one, other] = [await redisBus(url, () => undefined), await redisBus(url, () => undefined)];
  t.after(() => Promise.all([cache.close(), one.close(), other.close()]));
  const received: string[] = [];
  await other.subscribe('frozen', (message) => received.push(message));
  let healed = 0;
  other.onReconnect(() => healed++);
  const up = () => [cache, one, other].map((each) => each.isConnected());
  assert.deepEqual(up(), [true, true, true]);
  server.freeze();
  await until(() => up().every((isUp) => !isUp), 'the loss');
  assert.equal(await atOnce(cache.get('key')), 'refused');
  assert.equal(await atOnce(cache.consume('key', [MINUTE], 0)), 'refused');
  await until(async () => (await atOnce(one.publish('frozen', 'lost'))) === 'answered', 'an answer at once');
  server.thaw();
  await until(() => up().every((isUp) => isUp) && healed > 0, 'the recovery');
  await until(
    async () =>
      (await cache
        .set('key', 'value', 600_000)
        .then(() => cache.get('key'))
        .catch(() => undefined)) === 'value',
    'a value that is kept',
  );
  await publishUntil(
    () => one.publish('frozen', 'found'),
    () => received.includes('found'),
  );
});

test('a process starts without a frozen server and uses it later, but refuses a node of a cluster', {
  skip: server ? false : 'no redis-server here',
}, async (t) => {
  if (!server) return;
  server.freeze();
  t.after(server.thaw);
  const bus = await redisBus(url, () => undefined);
  t.after(bus.close);
  assert.ok(!bus.isConnected());
  server.thaw();
  await until(bus.isConnected, 'the server');

  const folder = mkdtempSync(join(tmpdir(), 'platform-cluster-'));
  const node = await startClusterNode(folder);
  assert.ok(node);
  node.freeze();
  const errors: Error[] = [];
  const cache = await redisCache(node.url, (error) => errors.push(error));
  node.thaw();
  await until(() => errors.some((error) => error instanceof OperatorFault), 'the refusal');
  await until(() => !cache.isConnected(), 'the end of the connection');
  await cache.close();
  await node.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A proxy between clients and the server that can stop forwarding without closing a connection. */
async function proxyTo(port: number) {
  const sockets: Socket[] = [];
  let isHeld = false;
  const hold = (socket: Socket) => (isHeld ? socket.pause() : socket.resume());
  const proxy = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (data) => to.write(data));
      from.on('close', () => to.destroy());
      from.on('error', () => undefined);
      sockets.push(from);
      hold(from);
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    hold: (held: boolean) => {
      isHeld = held;
      sockets.forEach(hold);
    },
    close: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a half-open connection is replaced, and subscribers learn that they missed messages', {
  skip: server ? false : 'no redis-server here',
}, async (t) => {
  if (!server) return;
  const proxy = await proxyTo(Number(new URL(url).port));
  t.after(proxy.close);
  const [cut, other] = [await redisBus(proxy.url, () => undefined), await redisBus(url, () => undefined)];
  t.after(() => Promise.all([cut.close(), other.close()]));
  const received: string[] = [];
  await other.subscribe('half-open', (message) => received.push(message));
  let healed = 0;
  other.onReconnect(() => healed++);
  proxy.hold(true);
  await until(() => !cut.isConnected(), 'the loss');
  await until(
    async () => (await atOnce(cut.publish('half-open', 'lost'))) === 'answered',
    'an answer at once',
  );
  assert.ok(other.isConnected(), 'the other has lost nothing that it knows of');
  proxy.hold(false);
  await until(() => cut.isConnected() && healed > 0, 'the recovery');
  await publishUntil(
    () => cut.publish('half-open', 'found'),
    () => received.includes('found'),
  );
});

test('a node of a cluster is refused as a single server, and a single server as a cluster', {
  skip: server ? false : 'no redis-server here',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-cluster-'));
  const node = await startClusterNode(folder);
  assert.ok(node);
  await assert.rejects(
    redisBus(node.url, () => undefined),
    OperatorFault,
  );
  await assert.rejects(
    redisCache(node.url, () => undefined),
    /REDIS_URL names a node of a Redis Cluster as if it were a single server/,
  );
  await node.kill();
  rmSync(folder, { recursive: true, force: true });
  await assert.rejects(
    redisCache(url.replace('redis:', 'redis+cluster:'), () => undefined),
    /REDIS_URL begins with redis\+cluster:.*Use redis:/,
  );
});

test('without the server the Redis cache fails fast', async () => {
  const nowhere = await redisCache('redis://127.0.0.1:1', () => undefined);
  await assert.rejects(nowhere.consume('x', [MINUTE], 0));
  await nowhere.close();
});
