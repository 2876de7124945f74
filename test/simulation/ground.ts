import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { TEMPLATE } from '../support/databases.ts';
import { prepareTemplate } from '../support/template.ts';
import { makeWorld, type World } from './world.ts';

const WORLD = 'simulated_world';

/** What all workers share: a PostgreSQL with a template of the world, and the environment in which they find it. */
export interface Ground {
  world: World;
  environment: Record<string, string>;
  end(): Promise<void>;
}

/** Starts a PostgreSQL of its own; it forgets what it knows when the machine fails, which no history has happen. */
export async function prepareGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-simulation-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    settings: {
      fsync: 'off',
      max_connections: '400',
      shared_buffers: '256MB',
      max_locks_per_transaction: '256',
    },
  });
  await cluster.createDatabase(TEMPLATE);
  await prepareTemplate(cluster.urlOf(TEMPLATE));
  await cluster.createDatabase(WORLD, TEMPLATE);
  const world = await makeWorld(cluster.urlOf(WORLD));
  return {
    world,
    environment: {
      TMPDIR: temporary,
      TEST_CLUSTER_URL: cluster.urlOf('postgres'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    end: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
