import pg from 'pg';
import { serviceUnavailable } from '../failures.ts';
import { isConflict, isOutage } from './faults.ts';
import { type Lane, type LaneQueries, laneQueries } from './lanes.ts';
import { type Pooler, refuseLostLimits, sessionLimits, UnnamedStatements } from './pooler.ts';
import type { Queries, Query, Transaction } from './queries.ts';
import { configOf, countOf, type QueryConfig, type Result, rowsOf } from './rows.ts';
import { TIMESTAMPTZ, timestamp } from './timestamps.ts';
import { transactionOver } from './transaction.ts';
import { inserter, updater } from './writes.ts';

export interface Database extends Queries {
  /**
   * Runs the work in one transaction and commits it; rolls back when the work throws. Retries after a deadlock or a
   * serialization failure, at most three attempts in all, so the work must have no effects outside the transaction. A
   * statement may take five seconds, or `maxStatementMs`, for jobs that aggregate many rows.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { maxStatementMs?: number }): Promise<T>;
  /** Runs long read-only queries against one consistent snapshot; a statement may take a day. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Long queries of operators, with separate connections, time limits and a queue. */
  heavy: Pick<LaneQueries, 'run'>;
  /** Queries of members over all records of their own, with separate connections, time limits and a queue. */
  personal: Pick<LaneQueries, 'run'>;
  /** Pages of exports, with separate connections, time limits and a queue. */
  exports: Pick<LaneQueries, 'run'>;
  /** Resolves when the database answers a query. */
  ping(): Promise<void>;
  /** Checks that a pooler in between lets the time limits hold. @throws OperatorFault */
  refuseLostLimits(): Promise<void>;
  /** Returns the numbers of open connections, idle connections, and callers waiting for a connection. */
  connections(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. */
  connections: number;
  /** What stands between this process and PostgreSQL; by default nothing. */
  pooler?: Pooler;
  /** Whether frequent statements are prepared by name; by default, unless a pooler works by transactions. */
  namesStatements?: boolean;
  /** Called when an idle connection breaks, until `close`. */
  onBackgroundError: (error: Error) => void;
  /** How long the client waits for a response, by default 15 seconds: longer than a statement may take. */
  answerTimeoutMs?: number;
}

const ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 4000;
/**
 * How much longer the client waits than PostgreSQL's own statement timeout, which normally ends the statement first.
 */
const PATIENCE_MS = 10_000;
const LONGEST_QUERY_MS = 24 * 3600 * 1000;

const LANES: Record<'heavy' | 'personal' | 'exports', Lane> = {
  heavy: { name: 'heavy', connections: 2, maxWaiting: 8, statementTimeoutMs: 60_000, workMem: '64MB' },
  personal: { name: 'personal', connections: 2, maxWaiting: 64, statementTimeoutMs: 5_000, workMem: '8MB' },
  exports: { name: 'exports', connections: 1, maxWaiting: 16, statementTimeoutMs: 20_000, workMem: '8MB' },
};

const INT8 = 20;
const NUMERIC = 1700;

/** Throws instead of rounding; check constraints keep Keys and counts within safe integers. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer out of range: ${text}`);
  return value;
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return safeInteger;
    if (oid === NUMERIC) return Number;
    if (oid === TIMESTAMPTZ && format !== 'binary') return timestamp;
    return pg.types.getTypeParser(oid, format);
  },
};

export function openDatabase({
  url,
  connections,
  answerTimeoutMs = 15_000,
  pooler = 'none',
  namesStatements = pooler !== 'transaction',
  ...options
}: DatabaseOptions): Database {
  const { begin, needsTransaction, pool: limits } = sessionLimits(pooler);
  let isClosed = false;
  // The pool's `end` does not wait until its connections are closed. A server that stops at that moment breaks them,
  // which is expected.
  const onBackgroundError = (error: Error): void => {
    if (!isClosed) options.onBackgroundError(error);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types,
    application_name: 'platform-api',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    ...(!namesStatements && { Client: UnnamedStatements }),
    ...limits,
  });
  pool.on('error', onBackgroundError);
  // The pool emits `error` only for idle clients; a client that fails in use rejects its query.
  pool.on('connect', (client) => client.on('error', onBackgroundError));
  const open = (lane: Lane): LaneQueries =>
    laneQueries(lane, {
      url,
      types,
      namesStatements,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onBackgroundError,
      cancel: (processId) => pool.query('select pg_cancel_backend($1)', [processId]),
    });
  const heavy = open(LANES.heavy);
  const personal = open(LANES.personal);
  const exports = open(LANES.exports);

  const query = (sql: Query<unknown>, values?: unknown[]): Promise<Result> =>
    needsTransaction
      ? inOwnTransaction(pool, begin, configOf(sql, values))
      : pool.query(configOf(sql, values));
  const execute = async (sql: Query<never>, values?: unknown[]): Promise<number> =>
    (await query(sql, values)).rowCount ?? 0;

  return {
    all: async (sql, values) => rowsOf(await query(sql, values)),
    first: async <Row extends object>(sql: Query<Row>, values?: unknown[]) =>
      rowsOf<Row>(await query(sql, values))[0],
    count: async (sql, values) => countOf(await query(sql, values)),
    execute,
    insert: inserter(execute),
    update: updater(execute),
    transaction: async (work, { maxStatementMs } = {}) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transactionOn(pool, begin, work, maxStatementMs);
        } catch (error) {
          if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
        }
      }
    },
    snapshot: (work) =>
      transactionOn(
        pool,
        begin,
        async (tx) => {
          await tx.execute('set transaction isolation level repeatable read, read only');
          await tx.execute('set local idle_in_transaction_session_timeout = 0');
          return work(tx);
        },
        LONGEST_QUERY_MS,
      ),
    heavy,
    personal,
    exports,
    ping: async () => {
      await pool.query('select 1');
    },
    refuseLostLimits: () => refuseLostLimits(pool, pooler, async (text) => (await query(text)).rows[0]),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      isClosed = true;
      await Promise.all([pool.end(), heavy.close(), personal.close(), exports.close()]);
    },
  };
}

/** Sends a statement in a transaction of its own, in one round trip. */
async function inOwnTransaction(pool: pg.Pool, begin: string, config: QueryConfig): Promise<Result> {
  const client = await pool.connect();
  const sent = [client.query(begin), client.query(config), client.query('commit')] as const;
  const [begun, answered, committed] = await Promise.allSettled(sent);
  client.release(committed.status === 'rejected' ? (committed.reason as Error) : undefined);
  // When the statement failed, the commit rolled back and reports nothing.
  if (begun.status === 'rejected') throw begun.reason;
  if (answered.status === 'rejected') throw answered.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return answered.value;
}

async function transactionOn<T>(
  pool: pg.Pool,
  begin: string,
  work: (tx: Transaction) => Promise<T>,
  maxStatementMs?: number,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // `begin` and the last writes are not awaited individually: `begin` is pipelined with the first statement and
  // `commit` with the last. Each saves a round trip while rows are locked.
  const begun = client.query(begin);
  begun.catch(() => undefined); // reported by `sent`; until then, prevents an unhandled rejection
  const sent: Promise<unknown>[] = [begun];
  if (maxStatementMs !== undefined) {
    const allowed = client.query(`set local statement_timeout = ${maxStatementMs}`);
    allowed.catch(() => undefined); // reported by `sent`
    sent.push(allowed);
  }
  // PostgreSQL ends a statement that takes too long; the client gives up only if that does not happen.
  const queryTimeoutMs = maxStatementMs === undefined ? undefined : maxStatementMs + PATIENCE_MS;
  try {
    const result = await work(transactionOver(client, sent, queryTimeoutMs));
    sent.push(client.query('commit'));
    // If a write failed, this commit rolled back, and that write's error is the first to reject.
    await Promise.all(sent);
    return result;
  } catch (error) {
    await Promise.allSettled(sent);
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Translates a database error for callers: an outage becomes a retryable 503, anything else is a bug and is returned as
 * is.
 */
export function translateDatabaseError(error: unknown): unknown {
  return isOutage(error) ? serviceUnavailable(error) : error;
}
