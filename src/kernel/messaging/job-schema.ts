import { createRequire } from 'node:module';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Queries } from '../database/queries.ts';
import { addressOf } from '../database/servers.ts';

/** The schema of the database that holds the queues. */
export const JOB_SCHEMA = 'jobs';

/** The application name of the sessions of job queues, which each running process has. */
export const JOB_SESSIONS = 'platform-api jobs';

/** The schema version that the installed pg-boss requires. */
const VERSION: number = createRequire(import.meta.url)('pg-boss/package.json').pgboss.schema;

/**
 * Returns the name of the missing version of the queue's schema; undefined when the installed pg-boss can work with it.
 */
export async function missingJobQueue(queries: Pick<Queries, 'all'>): Promise<string | undefined> {
  const exists = await queries.all(`select from pg_class where oid = to_regclass('${JOB_SCHEMA}.version')`);
  const [row] =
    exists.length > 0
      ? await queries.all<{ version: number }>(`select version from ${JOB_SCHEMA}.version`)
      : [];
  return row && row.version >= VERSION ? undefined : `${JOB_SCHEMA}/${VERSION}`;
}

/** Migrates the queue's schema to its newest version; fails when other sessions hold its tables. */
export async function installJobQueue(url: string): Promise<void> {
  // Sent once connected, since poolers take no options at the start.
  const onConnect = (client: pg.ClientBase) => client.query('set lock_timeout = 1000');
  const options = { ...addressOf(url), onConnect };
  const boss = new PgBoss({ ...options, schema: JOB_SCHEMA, supervise: false, schedule: false, max: 2 });
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false, close: true });
  }
}
