import type { Kysely } from 'kysely';

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

export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** What both the database and a transaction can do. */
export interface Queries {
  /** Typed queries over the tables of one module. */
  tables<Tables>(): Kysely<Tables>;
  run<Row>(statement: Statement<Row>, values: unknown[]): Promise<Row[]>;
  /** Any SQL; for libraries that bring their own. */
  sql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface Transaction extends Queries {
  readonly isTransaction: true;
  /**
   * Sends a write that nothing in the transaction waits for: it travels with what follows, and should it fail, the
   * commit does.
   */
  send(statement: Statement<never>, values: unknown[]): void;
}
