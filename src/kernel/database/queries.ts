import diagnostics from 'node:diagnostics_channel';

/**
 * A statement that is sent often: planned once a connection under its name.
 * `Row` is what it answers; the pair of name and text must be unique in the program.
 */
export interface Statement<Row> {
  name: string;
  text: string;
  /** Carries the type of the rows; never set. */
  readonly row?: Row;
}

/** Announces every statement as it is declared, so that a test can prepare all of them against the migrated schema. */
export const STATEMENT_DECLARED = 'platform-api.statement-declared';
const declared = diagnostics.channel(STATEMENT_DECLARED);

export function statement<Row>(name: string, text: string): Statement<Row> {
  declared.publish({ name, text });
  return { name, text };
}

/** A statement, or the text of one that is sent seldom. */
export type Query<Row> = Statement<Row> | string;

/**
 * What both the database and a transaction can do. Columns arrive in camelCase: `select created_at` is read as
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
}

export interface Transaction extends Queries {
  readonly isTransaction: true;
  /**
   * Sends a write that nothing in the transaction waits for: it travels with what follows, and should it fail, the
   * commit does.
   */
  send(statement: Statement<never>, values: unknown[]): void;
  /**
   * Waits until this transaction alone holds the lock of this name, and holds it to its end. The name begins with the
   * module, and ends with the key of what is locked where there are many: `tx.lock('wallet.exchange-rate', currency)`.
   */
  lock(name: string, key?: string): Promise<void>;
  /** Runs SQL of a library, whose rows keep the names of their columns. Only the adapter of the job queue uses it. */
  sql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}
