import { OperatorFault } from '../operator-fault.ts';
import { labelOf, type Migration } from './migration-files.ts';
import type { Queries } from './queries.ts';

/** How the schema of the database compares with the schema of this program. */
export interface SchemaState {
  /**
   * `current`: the same. `newer`: it has migrations that this program does not know, but can work with. `too old`: it
   * lacks migrations. `too new`: it has migrations that this program cannot work with.
   */
  schema: 'current' | 'newer' | 'too old' | 'too new';
  /** The names of the migrations that only one of them has. */
  differing: string[];
  /** Whether the database has never been migrated. */
  isEmpty?: boolean;
}

export const isUsable = ({ schema }: SchemaState): boolean => schema === 'current' || schema === 'newer';

/** A wrong address of the database is more frequent than a forgotten migration. */
const EMPTY =
  'There is no installation in the database. If there should be one, check DATABASE_URL (or DATA_DIR, for the embedded database). For a new one run "migrate" or "start" first.';

/** This program cannot work with the schema of the database. */
export class SchemaFault extends OperatorFault {
  override readonly name = 'SchemaFault';

  constructor({ schema, differing, isEmpty }: SchemaState) {
    if (isEmpty) {
      super(EMPTY);
      return;
    }
    const names = differing.length > 3 ? `${differing.slice(0, 3).join(', ')}, ...` : differing.join(', ');
    super(
      schema === 'too new'
        ? `The database was migrated by a newer release, which this one cannot work with (${names}). Start that release.`
        : `The schema of the database is too old: it lacks ${names}. Run "migrate" of this release first, or this command with the release that the database is of.`,
    );
  }
}

interface Applied {
  module: string;
  name: string;
  breaksOlder: boolean;
}

/**
 * Compares the schema with the migrations of this program. Ignores migrations of modules that this program does not
 * have: those modules were removed.
 */
export async function readSchemaState(
  queries: Pick<Queries, 'all'>,
  ours: Migration[],
): Promise<SchemaState> {
  const exists = await queries.all(`select from pg_class where oid = to_regclass('kernel.migration')`);
  const applied =
    exists.length === 0
      ? []
      : // An older schema has no column for the mark.
        await queries.all<Applied>(
          `select module, name, coalesce((to_jsonb(m) ->> 'breaks_older')::boolean, false) as "breaksOlder"
           from kernel.migration m`,
        );
  return compare(applied, ours);
}

function compare(applied: Applied[], ours: Migration[]): SchemaState {
  const ownLabels = new Set(ours.map(labelOf));
  const present = new Set(applied.map(labelOf));
  const modules = new Set(ours.map(({ module }) => module));
  const unknown = applied.filter((one) => modules.has(one.module) && !ownLabels.has(labelOf(one)));
  const breaking = unknown.filter(({ breaksOlder }) => breaksOlder).map(labelOf);
  const missing = ours.map(labelOf).filter((label) => !present.has(label));
  if (breaking.length > 0) return { schema: 'too new', differing: breaking };
  if (missing.length > 0) return { schema: 'too old', differing: missing, isEmpty: applied.length === 0 };
  return { schema: unknown.length > 0 ? 'newer' : 'current', differing: unknown.map(labelOf) };
}
