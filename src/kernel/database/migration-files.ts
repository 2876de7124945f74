import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** The migrations of one module: plain SQL files, each run once, in the order of their names. */
export interface MigrationSet {
  module: string;
  folder: URL;
}

export interface Migration {
  module: string;
  name: string;
  sql: string;
  checksum: string;
  /** Whether its statements run one by one outside of a transaction, as `create index concurrently` must. */
  isConcurrent: boolean;
  /** Whether programs that do not know it cannot work with its schema. */
  breaksOlder: boolean;
}

/** Marks in the leading comment of a file, each on its own line. */
const CONCURRENTLY = '-- concurrently';
const BREAKS_OLDER = '-- breaks older programs';

export const labelOf = ({ module, name }: Pick<Migration, 'module' | 'name'>): string => `${module}/${name}`;

/** Reads all migrations of the sets, in the order in which they run. */
export const readMigrations = (sets: MigrationSet[]): Migration[] =>
  sets.flatMap(({ module, folder }) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => migrationOf(module, name, readFileSync(new URL(name, folder), 'utf8'))),
  );

export function migrationOf(module: string, name: string, sql: string): Migration {
  const marks = (/^(?:--.*\n)*/.exec(sql)?.[0] ?? '').split('\n');
  return {
    module,
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    isConcurrent: marks.includes(CONCURRENTLY),
    breaksOlder: marks.includes(BREAKS_OLDER),
  };
}

/**
 * Returns the statements of a migration that runs outside a transaction; each ends with a semicolon at the end of a
 * line.
 */
export const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
