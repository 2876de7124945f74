import type { Socket } from 'node:net';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { SET_TIMES } from '../database/pooler.ts';
import type { Transaction } from '../database/queries.ts';
import type { NameOf } from './frequent-statements.ts';

/** The time limits of the queue's statements, in milliseconds. */
export interface QueueLimits {
  /** PostgreSQL then ends the statement, so that no claim succeeds whose jobs nobody would get. */
  statementMs: number;
  /**
   * How long the process waits for the answer. Without a limit the workers would wait for a host that has lost its power
   * until TCP gives up, a quarter of an hour later.
   */
  answerMs: number;
}

const ANSWER_AFTER_MS = 5_000;

export const QUEUE_LIMITS: QueueLimits = { statementMs: 25_000, answerMs: 25_000 + ANSWER_AFTER_MS };

/**
 * What maintains the queue reads all jobs, of which there may be millions. One statement deletes those whose time is over:
 * if it ended before it had deleted those of a long outage, none would ever be deleted.
 */
const MAINTENANCE_MS = 30 * 60_000;
/** Building an index of millions of jobs takes longer, and pg-boss builds one anew that did not end. */
const INDEXING_MS = 3_600_000;
const INDEXING = /\b(create|drop|reindex)\b[^;]*\bindex\b/i;

/** For how long a queue that stops waits for its maintenance. */
const LEAVING_MS = 2_000;

const WITHOUT_SCANS = 'set enable_seqscan = off';
const WITH_SCANS = 'set enable_seqscan = on';
const limitOf = (ms: number): string => `set statement_timeout = ${ms}`;

/** Options of the queue's own connections, over which jobs are claimed and completed; jobs are enqueued over others. */
export const ownConnections = ({ statementMs, answerMs }: QueueLimits) => ({
  query_timeout: answerMs,
  // Longer than the pause between two supervisions, for which a quiet process would otherwise open a connection each time.
  idleTimeoutMillis: 30_000,
  // A host that loses its power after it has received a statement is found out by probes, after 70 seconds.
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
  // A claim or a completion that a crash loses is one more delivery, which jobs must stand anyway, so none waits for the disk.
  // Plans that were made while the table was empty never read the whole table.
  onConnect: (client: pg.ClientBase) => {
    // The pool listens for errors of idle connections alone. One that breaks in use rejects its statement.
    client.on('error', () => undefined);
    return client.query(
      `${limitOf(statementMs)}; set synchronous_commit = off; ${WITHOUT_SCANS}; ${SET_TIMES}`,
    );
  },
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

/** The declared type lacks the connection. */
const socketOf = (client: pg.PoolClient) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

interface OwnStatements {
  nameOf: NameOf;
  limits: QueueLimits;
  /** Aborts when the queue begins to stop, which does not wait for its maintenance. */
  end: AbortSignal;
}

/** Prepares the frequent statements of the queue's own connections, and gives those that maintain the queue their time. */
export function prepareOwnStatements(boss: PgBoss, { nameOf, limits, end }: OwnStatements): void {
  const own = boss.getDb() as { executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> };
  own.executeSql = (given, values) => {
    const text = byKey(given);
    if (values && values.length > 0) {
      const name = nameOf(text);
      return poolOf(boss).query({ text, values, ...(name ? { name } : {}) });
    }
    // A text without values may be several statements, which cannot be prepared.
    return CLAIMED.test(given) ? poolOf(boss).query({ text }) : maintain(poolOf(boss), text, limits, end);
  };
}

async function maintain(
  pool: pg.Pool,
  text: string,
  { statementMs }: QueueLimits,
  end: AbortSignal,
): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let leaving: NodeJS.Timeout | undefined;
  // The statement is rejected, as when its connection breaks; the next process will repeat it.
  const leave = (): void => {
    leaving = setTimeout(() => socketOf(client).destroy(), LEAVING_MS);
  };
  if (end.aborted) leave();
  else end.addEventListener('abort', leave, { once: true });
  let broken: Error | undefined;
  const ms = INDEXING.test(text) ? INDEXING_MS : MAINTENANCE_MS;
  try {
    await client.query(`${limitOf(ms)}; ${WITH_SCANS}`);
    const config: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: ms + ANSWER_AFTER_MS };
    const answer = await client.query(config);
    await client.query(`${limitOf(statementMs)}; ${WITHOUT_SCANS}`);
    return answer;
  } catch (error) {
    // Its transaction may still be open.
    broken = error as Error;
    throw error;
  } finally {
    end.removeEventListener('abort', leave);
    clearTimeout(leaving);
    client.release(broken);
  }
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
