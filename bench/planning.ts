import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migratePlatform } from '../src/app/schema.ts';
import { startCluster } from '../src/embedded-postgres/cluster.ts';

/** Runs the work on a separate, migrated, empty database, which is removed afterwards. */
export async function onMigratedDatabase(
  work: (client: pg.Client, url: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-plans-'));
  const cluster = await startCluster({ folder, settings: { fsync: 'off', max_wal_size: '8GB' } });
  try {
    await cluster.createDatabase('platform');
    await migratePlatform(cluster.urlOf('platform'));
    const client = new pg.Client({ connectionString: cluster.urlOf('platform') });
    await client.connect();
    try {
      await work(client, cluster.urlOf('platform'));
    } finally {
      await client.end();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
