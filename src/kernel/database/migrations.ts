import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OperatorFault } from '../operator-fault.ts';
import { codeOf, isLostConnection } from '../outages.ts';
import {
  labelOf,
  type Migration,
  type MigrationSet,
  readMigrations,
  statementsOf,
} from './migration-files.ts';
import { addressOf } from './servers.ts';

/** An arbitrary number, the same in every process. */
const MIGRATION_LOCK = 7_203_814;
const CONNECT_TIMEOUT_MS = 10_000;
/** While a migration waits for a lock on a table, every later request on that table waits behind it. */
const LOCK_TIMEOUT_MS = 500;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 3_000;
/** About twenty minutes, longer than ordinary backups and reports. */
const MAX_TRIES = 480;
const POLL_MS = 200;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';
const INSUFFICIENT_PRIVILEGE = '42501';

export interface MigrateOptions {
  /** Called before each pause while other sessions hold a required lock; may throw to give up. */
  onWait?: (reason: string) => void;
  /** Pause between two attempts; for tests. */
  pauseMs?: number;
}

/** The schema cannot be changed; the message says what an operator can do about it. */
class MigrationFault extends OperatorFault {
  override readonly name = 'MigrationFault';
}

/**
 * Migrates the database to the newest schema. Safe to run from many processes at once: one migrates while the others
 * wait. Each file is one transaction, unless it says `-- concurrently`. A file that does not get its locks at once is
 * rolled back and tried again later, so that requests never queue for long behind a waiting migration.
 * @returns the names of the migrations it applied
 * @throws MigrationFault
 */
export async function migrate(
  url: string,
  sets: MigrationSet[],
  options: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({
    ...addressOf(url),
    application_name: 'platform-api migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // reported by the query that fails
  await client.connect();
  try {
    await refuseReplica(async (text) => (await client.query(text)).rows[0]);
    await takeTurn(client, options);
    await prepare(client);
    const { rows } = await client.query<{ module: string; name: string; checksum: string }>(
      'select module, name, checksum from kernel.migration',
    );
    const checksums = new Map(rows.map((row) => [labelOf(row), row.checksum]));
    const applied: string[] = [];
    for (const migration of readMigrations(sets)) {
      const label = labelOf(migration);
      const checksum = checksums.get(label);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined)
        throw new MigrationFault(`Migration ${label} was edited after it was applied`);
      await retrying(label, () => apply(client, migration), options);
      applied.push(label);
    }
    if (applied.length > 0) await waitForDisk(client);
    return applied;
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end();
  }
}

/**
 * Checks that the server accepts writes.
 * @param first returns the first row of a query
 * @throws MigrationFault
 */
export async function refuseReplica(
  first: (text: string) => Promise<{ replica?: boolean } | undefined>,
): Promise<void> {
  if ((await first('select pg_is_in_recovery() as replica'))?.replica)
    throw new MigrationFault(
      'DATABASE_URL names a read replica, on which nothing can be written. Name the primary, or promote the replica.',
    );
}

/**
 * Waits until no other process migrates. It polls, because a statement that waits for the lock would block `create
 * index concurrently`, which waits for all statements that began before it.
 */
async function takeTurn(client: pg.Client, { onWait }: MigrateOptions): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    onWait?.(`another process migrates${await holderOf(client)}`);
    await sleep(POLL_MS);
  }
}

/** Returns which session has the lock, for the log: operators find its process by the address, or end it by its id. */
async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; address: string | null }>(
    `select pid, host(client_addr) || ':' || client_port as address from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and (classid, objid, objsubid) = (0, $1, 1)
       and database = (select oid from pg_database where datname = current_database())`,
    [MIGRATION_LOCK],
  );
  const [holder] = rows;
  if (!holder) return '';
  return `: the session ${holder.pid} of PostgreSQL, from ${holder.address ?? 'a socket'}`;
}

/**
 * Creates the table of applied migrations unless it exists. Checks first, because a user without the right to create
 * tables may still run on a migrated schema.
 */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; marks: boolean }>(
    `select to_regclass('kernel.migration') is not null as exists,
       exists (select from pg_attribute where attrelid = to_regclass('kernel.migration')
         and attname = 'breaks_older') as marks`,
  );
  if (!rows[0]?.exists)
    await client.query(`
      create schema if not exists kernel;
      create table if not exists kernel.migration (
        module text not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now(),
        primary key (module, name)
      )`);
  if (!rows[0]?.marks)
    await client.query(
      'alter table kernel.migration add column if not exists breaks_older boolean not null default false',
    );
}

/** Retries the change until it gets its locks. */
export async function retrying<Result>(
  label: string,
  change: () => Promise<Result>,
  { onWait, pauseMs }: MigrateOptions,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      const code = codeOf(error) ?? codeOf((error as Error).cause);
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      if (tries >= MAX_TRIES)
        throw new MigrationFault(
          `Migration ${label} did not get its locks: another session uses the table without a pause. ` +
            'Look at pg_stat_activity for the oldest transaction, end it and migrate again.',
        );
      onWait?.(`${label} waits for a table that another session uses`);
      await sleep(pauseMs ?? MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await (migration.isConcurrent ? applyConcurrently : applyAtOnce)(client, migration);
  } catch (error) {
    const cause = error as Error;
    throw Object.assign(
      new Error(`Migration ${labelOf(migration)} failed: ${cause.message}`, { cause }),
      codeOf(cause) === undefined ? {} : { code: codeOf(cause) },
    );
  }
}

/**
 * Its commit does not wait for the disk. No later commit is on the disk before it, since the log of PostgreSQL has them
 * in their order: a crash of the machine undoes the last migrations together with all that was written after them.
 */
const BEGIN = `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local synchronous_commit = off`;

async function applyAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(BEGIN);
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('commit');
  } catch (error) {
    // Fails as well when the connection is lost, which must not hide why.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Runs the statements one by one. They wait for locks without blocking other sessions. After a failure all are repeated
 * from the first, so each must be repeatable: `if not exists`, `validate constraint`.
 */
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('set lock_timeout = 0');
  for (const statement of statementsOf(migration.sql)) {
    await dropInvalidIndex(client, statement);
    await client.query(statement);
  }
  await record(client, migration);
}

const CONCURRENT_INDEX =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)\s+on\s+(\w+)\./i;

/** Drops the invalid index that an interrupted build left behind; `if not exists` would accept it. */
async function dropInvalidIndex(client: pg.Client, statement: string): Promise<void> {
  const [, index, schema] = CONCURRENT_INDEX.exec(statement) ?? [];
  if (index === undefined || schema === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [`${schema}.${index}`],
  );
  if (rowCount) await client.query(`drop index concurrently if exists ${schema}.${index}`);
}

/** Writes once more, in a commit that waits for the disk, and so for all commits before it. */
const waitForDisk = (client: pg.Client): Promise<unknown> =>
  client.query(`update kernel.migration set applied_at = applied_at
    where (module, name) = (select module, name from kernel.migration order by applied_at desc limit 1)`);

const record = (client: pg.Client, { module, name, checksum, breaksOlder }: Migration): Promise<unknown> =>
  client.query(
    'insert into kernel.migration (module, name, checksum, breaks_older) values ($1, $2, $3, $4)',
    [module, name, checksum, breaksOlder],
  );

/** Turns an error that an operator can resolve into a MigrationFault. */
export function translated(error: unknown): unknown {
  const code = codeOf(error);
  if (code === INSUFFICIENT_PRIVILEGE)
    return new MigrationFault(
      `The user of DATABASE_URL may not change the schema: ${(error as Error).message}. Run "migrate" as the owner ` +
        'of the schema, and start the platform with MIGRATE=off.',
      { cause: error },
    );
  if (isLostConnection(error))
    return new MigrationFault(
      `The database failed: ${(error as Error).message}. Start again once it works; migrations that it has are not repeated.`,
      { cause: error },
    );
  return error;
}
