import type { Query } from './queries.ts';

/** The part of the driver's result that this module reads. */
export interface Result {
  rows: Record<string, unknown>[];
  fields: { name: string }[];
  rowCount: number | null;
  /** What the server has done, by its own word: `COMMIT`, or `ROLLBACK` for a `commit` after a failure. */
  command: string;
}

/** A query in the driver's format. */
export interface QueryConfig {
  name?: string;
  text: string;
  values?: unknown[];
  /** Milliseconds; defaults to the pool's timeout. */
  query_timeout?: number;
}

export const configOf = (query: Query<unknown>, values: unknown[] = []): QueryConfig =>
  typeof query === 'string' ? { text: query, values } : { name: query.name, text: query.text, values };

/** Returns the property name of a column: `createdAt` for `created_at`. */
export const camelCase = (name: string): string =>
  name.replace(/(?!^)_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/**
 * Returns the rows with their columns in camelCase. Returns rows whose column names have no underscore unchanged, so
 * that statements on the hot path can alias their columns and avoid the copy.
 */
export function rowsOf<Row>({ rows, fields }: Result): Row[] {
  if (!fields.some(({ name }) => name.includes('_', 1))) return rows as Row[];
  const names = fields.map(({ name }) => [name, camelCase(name)] as const);
  return rows.map((row) => {
    const renamed: Record<string, unknown> = {};
    for (const [from, to] of names) renamed[to] = row[from];
    return renamed as Row;
  });
}

/** Returns the number in the only column of the only row; 0 when there is none. */
export function countOf({ rows, fields }: Result): number {
  const [field] = fields;
  return field ? Number(rows[0]?.[field.name] ?? 0) : 0;
}
