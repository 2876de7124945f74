import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { publishUntil } from '../../../test/support/bus.ts';
import { PATIENCE_MS, until } from '../../../test/support/live.ts';
import { startRedis } from '../../../test/support/redis.ts';
import { startRedisCluster } from '../../../test/support/redis-cluster.ts';
import { systemClock } from '../time/time.ts';
import type { Bus } from './bus.ts';
import type { Cache } from './cache.ts';
import { inProcessBus, inProcessCache } from './in-process.ts';
import type { RateWindow } from './rate-limiter.ts';
import { redisCache } from './redis.ts';
import { redisBus } from './redis-bus.ts';
import { TIMED_OUT } from './redis-connection.ts';

const MINUTE: RateWindow = { name: 'minute', lengthMs: 60_000, limit: 3 };
const HOUR: RateWindow = { name: 'hour', lengthMs: 3_600_000, limit: 5 };
const NOON = Date.parse('2030-01-01T12:00:00Z');
let keys = 0;
const newKey = () => `test-${process.pid}-${++keys}`;

/**
 * Runs a test again if Redis did not answer within half a second, as happens on a busy machine. Each run has keys of its
 * own.
 */
const patiently = (work: () => Promise<void>) => async () => {
  for (const deadline = Date.now() + PATIENCE_MS; ; )
    try {
      return await work();
    } catch (error) {
      if ((error as Error).message !== TIMED_OUT || Date.now() > deadline) throw error;
    }
};

/** The contract of every cache and bus, tested for the in-process one and for Redis. */
function contract(
  name: string,
  cache: () => Cache,
  bus: () => Bus,
  otherBus: () => Bus,
  skip: string | false,
) {
  describe(name, { skip }, () => {
    const check = (title: string, work: () => Promise<void>) => test(title, patiently(work));

    check('cached values are returned until they expire or are deleted', async () => {
      const [key, brief] = [newKey(), newKey()];
      assert.equal(await cache().get(key), undefined);
      await cache().set(key, 'value', 600_000);
      await cache().set(brief, 'brief', 1_000);
      assert.equal(await cache().get(key), 'value');
      await until(async () => (await cache().get(brief)) === undefined, 'the end of it');
      assert.equal(await cache().get(key), 'value');
      await cache().delete(key);
      assert.equal(await cache().get(key), undefined);
    });

    check(
      'a request counts in all windows or in none, and learns what remains and when each ends',
      async () => {
        const key = newKey();
        const admit = (nowMs: number) => cache().consume(key, [MINUTE, HOUR], nowMs);
        for (const left of [2, 1, 0]) {
          const { admitted, windows } = await admit(NOON + 1000);
          assert.equal(admitted, true);
          assert.deepEqual(
            windows.map(({ remaining }) => remaining),
            [left, left + 2],
          );
          assert.deepEqual(
            windows.map(({ resetAtMs }) => resetAtMs),
            [NOON + 60_000, NOON + 3_600_000],
          );
        }
        const refused = await admit(NOON + 59_999);
        assert.equal(refused.admitted, false);
        assert.deepEqual(
          refused.windows.map(({ remaining }) => remaining),
          [0, 2],
          'a refused one is not counted',
        );
        assert.equal((await admit(NOON + 60_000)).admitted, true);
        assert.equal((await admit(NOON + 60_000)).admitted, true);
        assert.equal((await admit(NOON + 60_000)).admitted, false, 'the hour is full');
        assert.equal((await admit(NOON + 3_600_000)).admitted, true);
      },
    );

    check('several units are counted together or not at all', async () => {
      const key = newKey();
      const admit = (count: number) => cache().consume(key, [MINUTE], NOON, count);
      assert.equal((await admit(4)).admitted, false);
      assert.equal((await admit(2)).admitted, true);
      assert.equal((await admit(2)).admitted, false);
      const last = await admit(1);
      assert.deepEqual([last.admitted, last.windows[0]?.remaining], [true, 0]);
    });

    check('returned units can be taken again, and no more than those', async () => {
      const key = newKey();
      await cache().refund(key, [MINUTE], NOON);
      for (const _ of [1, 2, 3]) assert.equal((await cache().consume(key, [MINUTE], NOON)).admitted, true);
      assert.equal((await cache().consume(key, [MINUTE], NOON)).admitted, false);
      await cache().refund(key, [MINUTE], NOON);
      assert.equal((await cache().consume(key, [MINUTE], NOON)).admitted, true);
      assert.equal((await cache().consume(key, [MINUTE], NOON)).admitted, false);
    });

    check('a sliding window limits every interval of its length', async () => {
      const key = newKey();
      const limit = { lengthMs: 60_000, limit: 3 };
      const admit = (nowMs: number) => cache().consumeSliding(key, limit, nowMs);
      // The current minute ends between these requests.
      for (const ms of [59_000, 59_500, 60_500])
        assert.deepEqual(await admit(NOON + ms), { admitted: true, retryAtMs: NOON + ms });
      const refused = { admitted: false, retryAtMs: NOON + 119_000 };
      assert.deepEqual(await admit(NOON + 61_000), refused);
      assert.deepEqual(await admit(NOON + 118_999), refused);
      assert.equal((await admit(NOON + 119_000)).admitted, true);
      assert.deepEqual(await admit(NOON + 119_001), { admitted: false, retryAtMs: NOON + 119_500 });
      const others = await Promise.all(
        Array.from({ length: 50 }, () => cache().consumeSliding(`${key}-2`, limit, NOON)),
      );
      assert.equal(others.filter(({ admitted }) => admitted).length, 3, 'at once too');
    });

    check('concurrent counting never admits more than the limit', async () => {
      const key = newKey();
      const all = await Promise.all(Array.from({ length: 50 }, () => cache().consume(key, [MINUTE], NOON)));
      assert.equal(all.filter(({ admitted }) => admitted).length, 3);
    });

    check('messages reach everyone who listens to the channel, until they stop', async () => {
      const channel = newKey();
      const received: string[] = [];
      const listen = (who: string) =>
        bus().subscribe(channel, (message) => received.push(`${who} ${message}`));
      let number = 0;
      const publishUntilHeard = (by: Bus, ...listeners: string[]) =>
        publishUntil(
          () => by.publish(channel, String(++number)),
          () => listeners.every((who) => received.includes(`${who} ${number}`)),
        );
      const stop = await listen('one');
      await otherBus().subscribe(channel, (message) => received.push(`two ${message}`));
      await publishUntilHeard(otherBus(), 'one', 'two');
      await bus().publish(newKey(), 'elsewhere');
      await stop();
      const heardBefore = received.filter((one) => one.startsWith('one'));
      // What still reached the listener that stopped would come before the message reaches this one.
      await listen('three');
      await publishUntilHeard(bus(), 'two', 'three');
      assert.deepEqual(
        received.filter((one) => one.startsWith('one')),
        heardBefore,
      );
      assert.ok(received.every((one) => /^(one|two|three) \d+$/.test(one)));
      assert.equal(new Set(received).size, received.length, 'each comes once');
    });
  });
}

const local = { cache: inProcessCache(systemClock), bus: inProcessBus() };
async function overRedis(url: string) {
  const onError = () => undefined;
  const [cache, bus, other] = [
    await redisCache(url, onError),
    await redisBus(url, onError),
    await redisBus(url, onError),
  ];
  after(() => Promise.all([cache.close(), bus.close(), other.close()]));
  return { cache, bus, other };
}

const cluster = await startRedisCluster();
const server = await startRedis();
const remotes = {
  Redis: server && (await overRedis(server.url)),
  'Redis Cluster': cluster && (await overRedis(cluster.url)),
};
after(() => cluster?.close());
contract(
  'in process',
  () => local.cache,
  () => local.bus,
  () => local.bus,
  false,
);
for (const [name, remote] of Object.entries(remotes))
  contract(
    name,
    () => remote?.cache as Cache,
    () => remote?.bus as Bus,
    () => remote?.other as Bus,
    remote ? false : 'no redis-server here',
  );

test('a message that a receiver cannot read is reported, and the others arrive', {
  skip: !server,
}, async () => {
  const faults: string[] = [];
  const bus = await redisBus(server?.url ?? '', ({ message }) => faults.push(message));
  const other = await redisBus(server?.url ?? '', () => undefined);
  after(() => Promise.all([bus.close(), other.close()]));
  const channel = newKey();
  const received: unknown[] = [];
  await bus.subscribe(channel, (message) => received.push(JSON.parse(message)));
  await publishUntil(
    () => other.publish(channel, 'no JSON'),
    () => faults.join().includes(`a message on ${channel} cannot be read`),
  );
  await publishUntil(
    () => other.publish(channel, '7'),
    () => received.includes(7),
  );
});
