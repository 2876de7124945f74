import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The migrated database that every test file's own is a copy of. */
export const TEMPLATE = 'platform_template';

/** What processes hand to the kernel stays: tests kill processes, never the machine. */
export const CLUSTER_SETTINGS = {
  fsync: 'off',
  max_connections: '400',
  shared_buffers: '256MB',
  max_locks_per_transaction: '256',
};

/**
 * Makes a database for one test file, as a copy of the template. Its name begins with `TEST_DATABASES` if that is set, so
 * that whoever kills the process finds what it left.
 */
export async function newDatabase(template = TEMPLATE): Promise<{ url: string; drop: () => Promise<void> }> {
  const clusterUrl = process.env.TEST_CLUSTER_URL;
  if (!clusterUrl) throw new Error('Tests are run by npm test: npm test [files]');
  const name = `${process.env.TEST_DATABASES ?? 'test'}_${randomBytes(6).toString('hex')}`;
  // Copying files takes half as long as writing them through the log.
  await administer(clusterUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: clusterUrl.replace('/postgres?', `/${name}?`),
    drop: () => administer(clusterUrl, `drop database if exists ${name} with (force)`),
  };
}

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Copies of one template must follow one another.
    await client.query('select pg_advisory_lock(1)');
    await client.query(text);
  } finally {
    await client.end();
  }
}
