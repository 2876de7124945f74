import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The migrated database that is copied for every test file. */
export const TEMPLATE = 'platform_template';

/** Without syncing to disk, since tests kill processes but never the machine, and the kernel keeps what was written. */
export const CLUSTER_SETTINGS = {
  fsync: 'off',
  max_connections: '400',
  shared_buffers: '256MB',
  max_locks_per_transaction: '256',
};

/**
 * Creates a database for one test file as a copy of the template. Its name begins with `TEST_DATABASES` if that is set,
 * so that a parent process that kills this one can drop it.
 */
export async function newDatabase(template = TEMPLATE): Promise<{ url: string; drop: () => Promise<void> }> {
  const clusterUrl = process.env.TEST_CLUSTER_URL;
  if (!clusterUrl) throw new Error('Tests are run by npm test: npm test [files]');
  const name = `${process.env.TEST_DATABASES ?? 'test'}_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as copying through the write-ahead log.
  await administer(clusterUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: clusterUrl.replace('/postgres?', `/${name}?`),
    drop: () => administer(clusterUrl, `drop database if exists ${name} with (force)`),
  };
}

let administration: pg.Pool | undefined;

/**
 * Runs a command outside of the databases of tests. The connection stays open for the next one, since to open one takes
 * PostgreSQL as long as to copy the database. It does not keep the process alive.
 */
async function administer(url: string, text: string): Promise<void> {
  if (!administration) {
    administration = new pg.Pool({
      connectionString: url,
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    administration.on('error', () => undefined); // the next command opens another connection
  }
  const client = await administration.connect();
  try {
    // PostgreSQL refuses to copy a template twice at the same time.
    await client.query('select pg_advisory_lock(1)');
    await client.query(text).finally(() => client.query('select pg_advisory_unlock(1)'));
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
