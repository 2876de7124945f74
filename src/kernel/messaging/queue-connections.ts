import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Transaction } from '../database/queries.ts';
import type { NameOf } from './frequent-statements.ts';

/**
 * Options of the queue's own connections, over which jobs are claimed and completed; jobs are enqueued over others.
 * @param answerTimeoutMs how long a statement waits for its answer. Without a limit the workers would wait for a host that has
 *   lost its power until TCP gives up, a quarter of an hour later
 */
export const ownConnections = (answerTimeoutMs: number) => ({
  query_timeout: answerTimeoutMs,
  // Longer than the pause between two supervisions, for which a quiet process would otherwise open a connection each time.
  idleTimeoutMillis: 30_000,
  // A claim or a completion that a crash loses is one more delivery, which jobs must stand anyway, so none waits for the disk.
  // Plans that were made while the table was empty never read the whole table.
  onConnect: (client: pg.ClientBase) =>
    client.query('set synchronous_commit = off; set enable_seqscan = off'),
});

/**
 * Has `report` called with the name of each queue that has a new job, before the workers of the queue are notified. To be
 * called before the queue starts to listen.
 */
export function onNewJobs(boss: PgBoss, report: (queue: string) => void): void {
  // The declared type lacks the listener.
  const own = boss.getDb() as unknown as {
    listen(channel: string, onNotification: (queue: string) => void, onReconnect: () => void): unknown;
  };
  const listen = own.listen.bind(own);
  own.listen = (channel, onNotification, onReconnect) => {
    const reportToo = (queue: string): void => {
      report(queue);
      onNotification(queue);
    };
    return listen(channel, reportToo, onReconnect);
  };
}

/** The end of a statement of pg-boss that claims jobs, and the condition of one that completes them. */
const CLAIMED = /FROM next\s+WHERE name = ('[^']+') AND j\.id = next\.id/;
const COMPLETED = /(FROM input i\s+WHERE j\.name = \$1\s+)AND j\.id = i\.id/;

/**
 * Returns a statement that claims or completes jobs with each of them read by its whole key. As pg-boss joins them, PostgreSQL
 * reads all jobs of the queue once for each claimed one, and once for each completion, while it has no statistics of the table,
 * which a new installation has not for its first minutes: 230 ms instead of 2 to claim a hundred of 6,000 jobs.
 */
const byKey = (text: string): string =>
  text
    .replace(CLAIMED, 'WHERE name = $1 AND j.id = any(array(select id from next))')
    .replace(COMPLETED, '$1AND j.id = any(array(select id from input)) AND j.id = i.id');

/** Returns the queue's own connections, which the declared type lacks. */
export const poolOf = (boss: PgBoss): pg.Pool => (boss.getDb() as unknown as { pool: pg.Pool }).pool;

/** Prepares the frequent statements of the queue's own connections. */
export function prepareOwnStatements(boss: PgBoss, nameOf: NameOf): void {
  const own = boss.getDb() as { executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> };
  own.executeSql = (given, values) => {
    const text = byKey(given);
    // A text without values may be several statements, which cannot be prepared.
    const name = values && values.length > 0 ? nameOf(text) : undefined;
    return poolOf(boss).query({ text, ...(values ? { values } : {}), ...(name ? { name } : {}) });
  };
}

/**
 * The queue's view of a transaction.
 * @param nameOf prepares frequent statements. Only for inserts, whose plan does not depend on the size of the table: another
 *   that was planned while the table was empty would read all of it
 */
export const queueDatabase = (tx: Transaction, nameOf?: NameOf) => ({
  executeSql: (given: string, values?: unknown[]) => {
    const text = byKey(given);
    return tx.sql(text, values, nameOf?.(text));
  },
});
