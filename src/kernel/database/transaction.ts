import type { Query, Transaction } from './queries.ts';
import { configOf, countOf, type QueryConfig, type Result, rowsOf } from './rows.ts';

/** What of a connection is needed to query on it. */
export interface Connection {
  query(config: QueryConfig): Promise<Result>;
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
  const query = (asked: Query<unknown>, values?: unknown[]): Promise<Result> =>
    connection.query({ ...configOf(asked, values), query_timeout: queryTimeoutMs });

  return {
    isTransaction: true,
    all: async (asked, values) => rowsOf(await query(asked, values)),
    first: async <Row extends object>(asked: Query<Row>, values?: unknown[]) =>
      rowsOf<Row>(await query(asked, values))[0],
    count: async (asked, values) => countOf(await query(asked, values)),
    execute: async (asked, values) => (await query(asked, values)).rowCount ?? 0,
    lock: async (name, key = '') => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${name} ${key}`]);
    },
    sql: (text, values) => connection.query({ text, values, query_timeout: queryTimeoutMs }),
    send: ({ name, text }, values) => {
      const running = connection.query({ name, text, values });
      running.catch(() => undefined); // told to whoever waits for `sent`
      sent.push(running);
    },
  };
}
