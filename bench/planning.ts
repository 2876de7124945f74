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

const TRIES = 3;

/** Prints a table with the shortest of three times of each piece of work, in milliseconds. */
export async function printTimes(rows: number, work: Record<string, () => Promise<unknown>>): Promise<void> {
  console.log(`| Over ${rows.toLocaleString('en')} rows | ms |\n|---|---|`);
  for (const [name, run] of Object.entries(work)) {
    const times: number[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      const startedMs = performance.now();
      await run();
      times.push(performance.now() - startedMs);
    }
    console.log(`| ${name} | ${Math.min(...times).toFixed(1)} |`);
  }
}
