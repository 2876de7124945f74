import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The migrations of one module: plain SQL files, each run once, in the order of their names. */
export interface MigrationSet {
  module: string;
  folder: URL;
}

interface Migration {
  module: string;
  name: string;
  sql: string;
  checksum: string;
}

/** An arbitrary number, the same in every process. */
const MIGRATION_LOCK = 7_203_814;

/**
 * Migrates the database to the newest schema. Safe to run from many processes at once: one migrates while the others
 * wait. Each file is one transaction.
 * @returns the names of the migrations it applied
 * @throws when an applied migration has been edited since
 */
export async function migrate(url: string, sets: MigrationSet[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'platform-api migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(`
      create schema if not exists kernel;
      create table if not exists kernel.migration (
        module text not null,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now(),
        primary key (module, name)
      )`);
    const { rows } = await client.query<{ module: string; name: string; checksum: string }>(
      'select module, name, checksum from kernel.migration',
    );
    const known = new Map(rows.map((row) => [`${row.module}/${row.name}`, row.checksum]));
    const applied: string[] = [];
    for (const migration of await readAll(sets)) {
      const label = `${migration.module}/${migration.name}`;
      const checksum = known.get(label);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined) throw new Error(`Migration ${label} was edited after it was applied`);
      await apply(client, migration);
      applied.push(label);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, { module, name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into kernel.migration (module, name, checksum) values ($1, $2, $3)', [
      module,
      name,
      checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${module}/${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function readAll(sets: MigrationSet[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const { module, folder } of sets) {
    const names = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      const sql = await readFile(new URL(name, folder), 'utf8');
      migrations.push({ module, name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
    }
  }
  return migrations;
}
