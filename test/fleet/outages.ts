// `npm run test:fleet`: the fleet of `deploy/compose.yaml` as plain processes, through outages under load, behind haproxy and
// behind nginx. What was acknowledged must exist once, and listeners of a room must hear each message once.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { type Crowd, enterRoom, signUpPeople } from './crowd.ts';
import { drillBackup, drillSettings } from './drills.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Cost, startLoad } from './load.ts';

const SOCKETS = Number(process.env.FLEET_SOCKETS ?? 500);
const LANES = 6;
const QUIET_MS = 2_000;
const AWAY_MS = 3_000;
const FROZEN_MS = 5_000;

const NEEDED = ['TEST_HAPROXY', 'TEST_NGINX', 'TEST_PGBOUNCER', 'TEST_REDIS_SERVER'];
const missing = NEEDED.filter((variable) => !process.env[variable]);
const skip = missing.length > 0 ? `not installed: ${missing.join(', ')}` : false;

const fleet = skip ? undefined : await startFleet(2);
const database =
  fleet && openDatabase({ url: fleet.databaseUrl, connections: 3, onBackgroundError: () => undefined });
const people = fleet && (await signUpPeople(fleet.balancers.haproxy.url, LANES, SOCKETS));
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

const RESTARTED: Outage = {
  name: 'each process restarted by SIGTERM in turn',
  bring: ({ apis, workers }) => inTurn([...workers, ...apis], (one) => one.replace('SIGTERM')),
  isGraceful: true,
};

const KILLED: Outage = {
  name: 'each process killed by SIGKILL in turn',
  bring: ({ apis, workers }) => inTurn([...workers, ...apis], (one) => one.replace('SIGKILL')),
};

/** Kills a server, and starts it again. */
async function away(server: { kill(): Promise<void> }, start: () => Promise<void>): Promise<void> {
  await server.kill();
  await sleep(AWAY_MS);
  await start();
}

const OUTAGES: Outage[] = [
  {
    name: 'Redis frozen for five seconds',
    bring: async ({ redis }) => {
      redis.freeze();
      await sleep(FROZEN_MS);
      redis.thaw();
    },
  },
  { name: 'Redis killed for three seconds', bring: ({ redis }) => away(redis, redis.restart) },
  {
    name: 'PostgreSQL restarted',
    // Its supervisor starts it again.
    bring: async ({ cluster }) => process.kill(cluster.pid as number, 'SIGINT'),
  },
  {
    name: 'PostgreSQL killed',
    bring: async ({ cluster }) => process.kill(cluster.pid as number, 'SIGQUIT'),
  },
  {
    name: 'PgBouncer killed for three seconds',
    bring: ({ pgbouncer }) => away(pgbouncer, pgbouncer.start),
  },
];

const BALANCERS = [
  ['haproxy', [RESTARTED, KILLED, ...OUTAGES]],
  ['nginx', [RESTARTED, KILLED]],
] as const;

for (const [balancer, outages] of BALANCERS)
  describe(`behind ${balancer}`, { skip }, () => {
    let crowd: Crowd | undefined;
    after(() => crowd?.leave());
    for (const { name, bring, isGraceful = false } of outages)
      test(`${name}: nothing acknowledged is lost or done twice`, { timeout: 600_000 }, async () => {
        assert.ok(fleet && database && people);
        crowd ??= await enterRoom(fleet.balancers[balancer].url, people, SOCKETS);
        const load = await startLoad(crowd, database);
        await sleep(QUIET_MS);
        await bring(fleet);
        const endedMs = performance.now();
        await sleep(3 * QUIET_MS);
        const { requests, failed, lastFailureMs } = load.sofar();
        const rest = await load.end();
        const wellAfter = Math.round(Math.max(0, lastFailureMs - endedMs) / 100) / 10;
        costs[`${balancer}: ${name}`] = { requests, failed, ...rest, 'seconds until well': wellAfter };
        assert.deepEqual(rest, { lost: 0, repeated: 0, missed: 0 });
        if (isGraceful) assert.equal(failed, 0);
        assert.deepEqual(await ledgerFaults(database), []);
      });
  });

drillSettings(() => fleet?.environment, skip);
drillBackup((cost) => {
  costs['backup and restore-check'] = { ...cost, 'seconds until well': 0 };
});
