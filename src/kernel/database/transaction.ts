import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Statement, Transaction } from './queries.ts';

interface QueryConfig {
  name?: string;
  text: string;
  values?: unknown[];
  /** Milliseconds; the pool's own unless it says otherwise. */
  query_timeout?: number;
}

/** What of a connection is needed to query on it. */
export interface Connection {
  // biome-ignore lint/suspicious/noExplicitAny: rows are what the statement says they are
  query(config: QueryConfig): Promise<{ rows: any[] }>;
}

/**
 * Queries on a connection whose transaction somebody else began and will end.
 * @param queryTimeoutMs for those that may take longer than others
 * @param sent where writes that are not waited for are kept, for whoever ends the transaction to wait for
 */
export function transactionOver(
  connection: Connection,
  sent: Promise<unknown>[],
  queryTimeoutMs?: number,
): Transaction {
  let kysely: Kysely<unknown> | undefined;
  // Kysely wants a pool; this one hands out the transaction's connection and keeps it.
  const pool = {
    connect: async () => ({
      query: (text: string, values: unknown[]) => connection.query({ text, values }),
      release: () => undefined,
    }),
    end: async () => undefined,
  };
  return {
    isTransaction: true,
    tables: <Tables>() => {
      kysely ??= new Kysely<unknown>({
        dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }),
      });
      return kysely as Kysely<Tables>;
    },
    run: async <Row>({ name, text }: Statement<Row>, values: unknown[]) =>
      (await connection.query({ name, text, values, query_timeout: queryTimeoutMs })).rows as Row[],
    sql: (text, values) => connection.query({ text, values, query_timeout: queryTimeoutMs }),
    send: ({ name, text }, values) => {
      const running = connection.query({ name, text, values });
      running.catch(() => undefined); // told to whoever waits for `sent`
      sent.push(running);
    },
  };
}
