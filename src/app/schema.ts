import { existsSync, readdirSync } from 'node:fs';
import { lazy } from '../kernel/concurrency/lazy.ts';
import { type MigrationSet, readMigrations } from '../kernel/database/migration-files.ts';
import { type MigrateOptions, migrate, retrying, translated } from '../kernel/database/migrations.ts';
import type { Queries } from '../kernel/database/queries.ts';
import { isUsable, readSchemaState, type SchemaState } from '../kernel/database/schema-state.ts';
import { installJobQueue, missingJobQueue } from '../kernel/messaging/job-schema.ts';

/** Returns the migrations of the kernel, the gateway and every module that has a migrations folder. */
function findMigrations(): MigrationSet[] {
  const modules = readdirSync(new URL('../modules/', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      module: name,
      folder: new URL(`../modules/${name}/migrations/`, import.meta.url),
    }));
  return [
    { module: 'kernel', folder: new URL('../kernel/migrations/', import.meta.url) },
    { module: 'gateway', folder: new URL('../gateway/migrations/', import.meta.url) },
    ...modules.filter(({ folder }) => existsSync(folder)),
  ];
}

const ourMigrations = lazy(() => readMigrations(findMigrations()));

/**
 * Migrates the database and the job queue to the newest schema; returns the names of the applied migrations.
 * @throws MigrationFault
 */
export async function migratePlatform(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const applied = await migrate(url, findMigrations(), options);
  try {
    await retrying('of the job queue', () => installJobQueue(url), options);
  } catch (error) {
    throw translated(error);
  }
  return applied;
}

/** Compares the schema of the database, including that of the job queue, with that of this program. */
export async function schemaStateOf(queries: Pick<Queries, 'all'>): Promise<SchemaState> {
  const state = await readSchemaState(queries, ourMigrations());
  const missing = isUsable(state) ? await missingJobQueue(queries) : undefined;
  return missing === undefined ? state : { schema: 'too old', differing: [missing] };
}
