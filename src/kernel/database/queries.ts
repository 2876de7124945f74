import diagnostics from 'node:diagnostics_channel';

/**
 * A frequently sent statement, prepared once per connection under its name. `Row` is the type of its rows. The pair of
 * name and text must be unique in the program.
 */
export interface Statement<Row> {
  name: string;
  text: string;
  /** Carries the type of the rows; never set. */
  readonly row?: Row;
}

/**
 * The diagnostics channel that announces each declared statement, so that a test can prepare all of them against the
 * migrated schema.
 */
export const STATEMENT_DECLARED = 'platform-api.statement-declared';
const declared = diagnostics.channel(STATEMENT_DECLARED);

export function statement<Row>(name: string, text: string): Statement<Row> {
  declared.publish({ name, text });
  return { name, text };
}

/** A prepared statement, or the text of an infrequent one. */
export type Query<Row> = Statement<Row> | string;

/** Names of properties of a row; each is written to the column of that name: `createdAt` to `created_at`. */
export type PropertiesOf<Row> = readonly (keyof Row & string)[];

/** The `on conflict` clause at the end of an insert. */
export type OnConflict = `on conflict ${string}`;

/**
 * Queries that both the database and a transaction support. Columns arrive in camelCase: `select created_at` is read as
 * `createdAt`. bigint and numeric arrive as numbers, timestamps as dates.
 */
export interface Queries {
  /** Returns all rows. */
  all<Row extends object = Record<string, unknown>>(query: Query<Row>, values?: unknown[]): Promise<Row[]>;
  /** Returns the first row; undefined when there is none. */
  first<Row extends object = Record<string, unknown>>(
    query: Query<Row>,
    values?: unknown[],
  ): Promise<Row | undefined>;
  /** Returns the number in the only column of the only row, as of `select count(*)`. */
  count(query: Query<object>, values?: unknown[]): Promise<number>;
  /** Runs a write and returns how many rows it affected. */
  execute(query: Query<never>, values?: unknown[]): Promise<number>;
  /**
   * Inserts a row, or a list of rows with at most 65,535 values in all, and returns how many were inserted. A list in a
   * JSON column must be passed as text. Tests prepare the statement, so the source must spell out its parts.
   * @param columns the properties to write; may be omitted for an object literal, whose properties are all written
   */
  insert<Row extends object>(
    table: string,
    rows: Row | readonly Row[],
    columns?: PropertiesOf<Row>,
    conflict?: OnConflict,
  ): Promise<number>;
  /** Writes these properties to the row with the same id; returns whether it exists. */
  update<Row extends { id: string }>(table: string, row: Row, columns: PropertiesOf<Row>): Promise<boolean>;
}

export interface Transaction extends Queries {
  readonly isTransaction: true;
  /**
   * Sends a write without waiting for it. It is pipelined with the statements that follow; if it fails, the commit
   * fails.
   */
  send(statement: Statement<never>, values: unknown[]): void;
  /** Calls this once the transaction has committed, unless the process dies in between. It must not throw. */
  afterCommit(call: () => void): void;
  /**
   * Acquires an exclusive lock that this transaction holds until it ends. Prefix the name with the module, and pass the
   * key of the locked object where there are several: `tx.lock('wallet.exchange-rate', currency)`.
   */
  lock(name: string, key?: string): Promise<void>;
  /**
   * Runs SQL of a library; the rows keep their column names. The adapter of the job queue uses it.
   * @param name prepares the statement once per connection under this name
   */
  sql(text: string, values?: unknown[], name?: string): Promise<{ rows: Record<string, unknown>[] }>;
}
