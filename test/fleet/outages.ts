// `npm run test:fleet`: the fleet of `deploy/compose.yaml` as plain processes behind haproxy, through outages under load.
// What was acknowledged must exist once, and listeners of a room must hear each message once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Cost, startLoad } from './load.ts';

const LISTENERS = Number(process.env.FLEET_SOCKETS ?? 20);
const LANES = 6;
const QUIET_MS = 2_000;

const isMissing = !process.env.TEST_HAPROXY || !process.env.TEST_REDIS_SERVER;
const skip = isMissing ? 'haproxy or redis-server is not installed' : false;

const fleet = skip ? undefined : await startFleet(2);
const database =
  fleet && openDatabase({ url: fleet.databaseUrl, connections: 3, onBackgroundError: () => undefined });
const costs: Record<string, Cost & { 'seconds until well': number }> = {};
after(async () => {
  if (Object.keys(costs).length > 0) console.table(costs);
  await database?.close();
  await fleet?.close();
});

interface Outage {
  name: string;
  bring: (fleet: Fleet) => Promise<unknown>;
  /** Whether each request must succeed at its first attempt. */
  isGraceful?: true;
}

async function inTurn<T>(all: T[], work: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of all) {
    await work(one);
    await sleep(QUIET_MS);
  }
}

const OUTAGES: Outage[] = [
  {
    name: 'each process restarted by SIGTERM in turn',
    bring: ({ apis, workers }) => inTurn([...workers, ...apis], (one) => one.replace('SIGTERM')),
    isGraceful: true,
  },
  {
    name: 'each process killed by SIGKILL in turn',
    bring: ({ apis, workers }) => inTurn([...workers, ...apis], (one) => one.replace('SIGKILL')),
  },
  {
    name: 'Redis frozen for five seconds',
    bring: async ({ redis }) => {
      redis.freeze();
      await sleep(5_000);
      redis.thaw();
    },
  },
  {
    name: 'Redis killed for three seconds',
    bring: async ({ redis }) => {
      await redis.kill();
      await sleep(3_000);
      await redis.restart();
    },
  },
  {
    name: 'PostgreSQL restarted',
    // Its supervisor starts it again.
    bring: async ({ cluster }) => process.kill(cluster.pid as number, 'SIGINT'),
  },
  {
    name: 'PostgreSQL killed',
    bring: async ({ cluster }) => process.kill(cluster.pid as number, 'SIGQUIT'),
  },
];

for (const { name, bring, isGraceful = false } of OUTAGES)
  test(`${name}: nothing acknowledged is lost or done twice`, { skip, timeout: 600_000 }, async () => {
    assert.ok(fleet && database);
    const load = await startLoad({ url: fleet.url, lanes: LANES, listeners: LISTENERS, database });
    await sleep(QUIET_MS);
    await bring(fleet);
    const endedMs = performance.now();
    await sleep(3 * QUIET_MS);
    const { requests, failed, lastFailureMs } = load.sofar();
    const rest = await load.end();
    const wellAfter = Math.max(0, lastFailureMs - endedMs) / 1000;
    costs[name] = { requests, failed, ...rest, 'seconds until well': Math.round(wellAfter * 10) / 10 };
    assert.deepEqual(rest, { lost: 0, repeated: 0, missed: 0 });
    if (isGraceful) assert.equal(failed, 0);
    assert.deepEqual(await ledgerFaults(database), []);
  });
