import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { CLUSTER_SETTINGS, TEMPLATE } from '../support/databases.ts';
import { descriptions } from '../support/descriptions.ts';
import { prepareTemplate } from '../support/template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findTool } from '../support/tools.ts';
import { type RedisServer, startRedises } from './redis.ts';
import { makeWorld, type World } from './world.ts';

const WORLD = 'simulated_world';
/** How many processes play histories. */
export const PROCESSES = Math.max(1, availableParallelism());
/** How many histories a process plays at a time. */
export const AT_ONCE = 4;

/** What all workers share: a PostgreSQL with a template database, and the environment variables that lead to it. */
export interface Ground {
  world: World;
  /** A Redis for each history that is played at a time. */
  redises: (RedisServer | undefined)[];
  environment: Record<string, string>;
  end(): Promise<void>;
}

/** Starts a PostgreSQL server without durability: histories kill processes, never the machine. */
export async function prepareGround(): Promise<Ground> {
  const folder = mkdtempSync(join(temporaryFolder(), 'platform-simulation-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    // A history is over long before its tables would need a vacuum.
    settings: { ...CLUSTER_SETTINGS, autovacuum: 'off' },
  });
  await cluster.createDatabase(TEMPLATE);
  await prepareTemplate(cluster.urlOf(TEMPLATE));
  await cluster.createDatabase(WORLD, TEMPLATE);
  const world = await makeWorld(cluster.urlOf(WORLD));
  const described = join(folder, 'descriptions.json');
  writeFileSync(described, JSON.stringify(descriptions()));
  const redis = findTool('TEST_REDIS_SERVER');
  if (redis) process.env.TEST_REDIS_SERVER = redis;
  else console.error('*** redis-server is not installed, so that no Redis is simulated ***');
  return {
    world,
    redises: await startRedises(AT_ONCE * PROCESSES),
    environment: {
      TMPDIR: temporary,
      TEST_CLUSTER_URL: cluster.urlOf('postgres'),
      TEST_DESCRIPTIONS: described,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    end: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
