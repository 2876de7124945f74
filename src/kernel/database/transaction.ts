import type { Query, Transaction } from './queries.ts';
import { configOf, countOf, type QueryConfig, type Result, rowsOf } from './rows.ts';
import { inserter, updater } from './writes.ts';

/** The part of a connection that queries need. */
export interface Connection {
  query(config: QueryConfig): Promise<Result>;
}

/**
 * Returns queries on a connection whose transaction the caller begins and ends.
 * @param sent collects writes that are not awaited; the caller must await them when it ends the transaction
 * @param committed collects what to call after the commit
 * @param queryTimeoutMs for queries that may exceed the pool's timeout
 */
export function transactionOver(
  connection: Connection,
  sent: Promise<unknown>[],
  committed: (() => void)[],
  queryTimeoutMs?: number,
): Transaction {
  const query = (sql: Query<unknown>, values?: unknown[]): Promise<Result> =>
    connection.query({ ...configOf(sql, values), query_timeout: queryTimeoutMs });
  const execute = async (sql: Query<never>, values?: unknown[]): Promise<number> =>
    (await query(sql, values)).rowCount ?? 0;

  return {
    isTransaction: true,
    all: async (sql, values) => rowsOf(await query(sql, values)),
    first: async <Row extends object>(sql: Query<Row>, values?: unknown[]) =>
      rowsOf<Row>(await query(sql, values))[0],
    count: async (sql, values) => countOf(await query(sql, values)),
    execute,
    insert: inserter(execute),
    update: updater(execute),
    afterCommit: (call) => void committed.push(call),
    lock: async (name, key = '') => {
      await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${name} ${key}`]);
    },
    sql: (text, values, name) =>
      connection.query({ text, values, query_timeout: queryTimeoutMs, ...(name ? { name } : {}) }),
    send: ({ name, text }, values) => {
      const running = connection.query({ name, text, values });
      running.catch(() => undefined); // reported by `sent`
      sent.push(running);
    },
  };
}
