import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, startCluster } from '../../src/embedded-postgres/cluster.ts';

/** Settings of a primary that allow streaming replicas. */
export const STREAMING = { wal_level: 'replica', max_wal_senders: '4' };

interface ReplicaOptions {
  primary: Cluster;
  /** The data folder of the primary. */
  from: string;
  folder: string;
  settings: Record<string, string>;
}

/**
 * Starts a streaming replica of a primary. It begins with a copy of the primary's files between the start and the end
 * of a backup, as pg_basebackup does.
 */
export async function startReplica({ primary, from, folder, settings }: ReplicaOptions): Promise<Cluster> {
  const client = new pg.Client({ connectionString: primary.urlOf('postgres') });
  await client.connect();
  await client.query(`select pg_backup_start('replica', true)`);
  const data = join(folder, 'data');
  cpSync(join(from, 'data'), data, { recursive: true, verbatimSymlinks: true });
  chmodSync(data, 0o700);
  const { rows } = await client.query('select labelfile from pg_backup_stop()');
  await client.end();
  writeFileSync(join(data, 'backup_label'), rows[0].labelfile);
  writeFileSync(join(data, 'standby.signal'), '');
  rmSync(join(data, 'postmaster.pid'), { force: true });
  rmSync(join(data, 'postmaster.opts'), { force: true });
  const { searchParams } = new URL(primary.urlOf('postgres'));
  const conninfo = `host=${searchParams.get('host')} user=${searchParams.get('user')}`;
  return startCluster({ folder, settings: { ...settings, hot_standby: 'on', primary_conninfo: conninfo } });
}
