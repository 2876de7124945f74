import type { Database } from '../database/database.ts';
import type { Sealer } from '../secrets.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** The values of a sealed column, by the key that opens them. */
export interface SealedCount {
  /** The table and the column. */
  place: string;
  /** Sealed with the present SECRET_KEY. */
  current: number;
  /** Sealed with one of SECRET_KEY_FALLBACKS. */
  former: number;
  /** Opened by none of the keys. */
  unreadable: number;
}

interface SealedValue {
  key: string;
  sealed: Buffer;
}

const ROWS_AT_ONCE = 500;

/** Keeps the values of these columns readable when SECRET_KEY is replaced. */
export const resealing = (database: Database, columns: readonly SealedColumn[]) => ({
  /** Counts the values of each column; opens every one, so that it takes some seconds for a hundred thousand. */
  async count(): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const column of columns) counts.push(await countSealed(database, column));
    return counts;
  },
  /**
   * Seals the values again that a former key has sealed. It may be interrupted and repeated, and run beside processes
   * that write: a value that was replaced since it was read is left.
   * @param onPage learns after each page how many values of the column were sealed again so far
   */
  async reseal(onPage: (place: string, done: number) => void): Promise<void> {
    for (const column of columns)
      await resealColumn(database, column, (done) => onPage(placeOf(column), done));
  },
});

const placeOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

async function countSealed(database: Database, column: SealedColumn): Promise<SealedCount> {
  const count = { place: placeOf(column), current: 0, former: 0, unreadable: 0 };
  for await (const values of pagesOf(database, column))
    for (const { sealed } of values) count[stateOf(sealed, column.sealer)]++;
  return count;
}

async function resealColumn(
  database: Database,
  column: SealedColumn,
  onPage: (done: number) => void,
): Promise<void> {
  const { sealer } = column;
  let done = 0;
  for await (const values of pagesOf(database, column)) {
    const former = values.filter(({ sealed }) => stateOf(sealed, sealer) === 'former');
    if (former.length === 0) continue;
    done += await database.execute(
      `update ${column.table} t set ${column.column} = n.sealed
       from unnest($1::text[], $2::bytea[], $3::bytea[]) as n (key, before, sealed)
       where t.${column.key}::text = n.key and t.${column.column} = n.before`,
      [
        former.map(({ key }) => key),
        former.map(({ sealed }) => sealed),
        former.map(({ sealed }) => sealer.seal(sealer.open(sealed))),
      ],
    );
    onPage(done);
  }
}

async function* pagesOf(
  database: Database,
  { table, key, column, where = 'true' }: SealedColumn,
): AsyncGenerator<SealedValue[]> {
  for (let after = ''; ; ) {
    const values = await database.all<SealedValue>(
      `select ${key}::text as key, ${column} as sealed from ${table}
       where ${column} is not null and (${where}) and ${key}::text collate "C" > $1
       order by ${key}::text collate "C" limit ${ROWS_AT_ONCE}`,
      [after],
    );
    if (values.length > 0) yield values;
    if (values.length < ROWS_AT_ONCE) return;
    after = (values.at(-1) as SealedValue).key;
  }
}

function stateOf(sealed: Buffer, sealer: Sealer): 'current' | 'former' | 'unreadable' {
  if (sealer.isCurrent(sealed)) return 'current';
  try {
    sealer.open(sealed);
    return 'former';
  } catch {
    return 'unreadable';
  }
}
