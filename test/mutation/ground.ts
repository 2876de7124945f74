import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from '../../src/embedded-postgres/cluster.ts';
import { TEMPLATE } from '../support/databases.ts';
import { descriptions } from '../support/descriptions.ts';
import { prepareTemplate } from '../support/template.ts';
import { provideTools } from '../support/tools.ts';

/**
 * What all trials share: a PostgreSQL with a migrated template database, and the environment variables that lead to it.
 */
export interface Ground {
  folder: string;
  environment: Record<string, string>;
  /** Drops the databases whose names begin with the prefix. */
  dropDatabases(prefix: string): Promise<void>;
  end(): Promise<void>;
}

export async function prepareGround(): Promise<Ground> {
  const tools = provideTools();
  const folder = mkdtempSync(join(tmpdir(), 'platform-mutation-'));
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    settings: { fsync: 'off', max_connections: '200', max_locks_per_transaction: '256' },
  });
  await cluster.createDatabase(TEMPLATE);
  await prepareTemplate(cluster.urlOf(TEMPLATE));
  const described = join(folder, 'descriptions.json');
  writeFileSync(described, JSON.stringify(descriptions()));
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  await client.connect();
  return {
    folder,
    environment: {
      ...tools,
      TEST_CLUSTER_URL: cluster.urlOf('postgres'),
      TEST_DESCRIPTIONS: described,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    dropDatabases: async (prefix) => {
      const { rows } = await client.query<{ name: string }>(
        `select datname as name from pg_database where starts_with(datname, $1 || '_')`,
        [prefix],
      );
      for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
    },
    end: async () => {
      await client.end();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
