import pg from 'pg';
import { isReadOnly } from '../outages.ts';
import { isConflict, transactionFailure } from './faults.ts';
import { type Lane, type LaneQueries, laneQueries } from './lanes.ts';
import { openPing } from './ping.ts';
import { sessionLimits, UnnamedStatements } from './pooler.ts';
import type { Pooler } from './poolers.ts';
import type { Queries, Query, Transaction } from './queries.ts';
import { configOf, type QueryConfig, type Result } from './rows.ts';
import { addressOf } from './servers.ts';
import { type SlowStatements, timed, waitForConnection } from './timed.ts';
import { TIMESTAMPTZ, timestamp } from './timestamps.ts';
import { type Connection, transactionOver } from './transaction.ts';

export interface ServerOptions {
  url: string;
  /** Maximum number of connections besides those of lanes and of the ping. */
  connections: number;
  /** What stands between this process and PostgreSQL. */
  pooler: Pooler;
  /** Whether frequent statements are prepared by name. */
  namesStatements: boolean;
  /** Called when an idle connection breaks. */
  onBackgroundError: (error: Error) => void;
  /** How long the client waits for a response, in milliseconds. */
  answerTimeoutMs: number;
  /** What to do with slow statements, except those for which a longer time is allowed; by default nothing. */
  slow?: SlowStatements | undefined;
  /** Called with the error of each statement that fails, except those of lanes; by default nothing. */
  onFailure?: ((error: Error) => void) | undefined;
}

const CONNECT_TIMEOUT_MS = 4000;
/**
 * How much longer the client waits than PostgreSQL's own statement timeout, which normally ends the statement first.
 */
const PATIENCE_MS = 10_000;
const LONGEST_QUERY_MS = 24 * 3600 * 1000;
const COMMIT: QueryConfig = { text: 'commit' };
const SWALLOWED = 'the transaction was rolled back: one of its statements failed, and its error was caught';

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

/** Opens the connections to one server: a pool, and lanes. They connect when they are first used. */
export function openServer(options: ServerOptions) {
  const { url, pooler, namesStatements, onBackgroundError, slow, onFailure = () => undefined } = options;
  const { begin, needsTransaction, pool: limits } = sessionLimits(pooler);
  const address = addressOf(url);
  const pool = new pg.Pool({
    ...address,
    max: options.connections,
    types,
    application_name: 'platform-api',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.answerTimeoutMs,
    idleTimeoutMillis: 30_000,
    // Snapshots may wait for a day: that a host is gone is found out by ten probes, a second apart, after a minute of silence.
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    pipeline: true,
    ...(!namesStatements && { Client: UnnamedStatements }),
    ...limits,
  });
  pool.on('error', onBackgroundError);
  // The pool emits `error` only for idle clients; a client that fails in use rejects its query.
  pool.on('connect', (client) => client.on('error', onBackgroundError));
  const source: Source = { pool, begin, slow, onFailure };
  const open = (lane: Lane): LaneQueries =>
    laneQueries(lane, {
      address,
      types,
      namesStatements,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onBackgroundError,
      cancel: (processId) => pool.query('select pg_cancel_backend($1)', [processId]),
    });
  const heavy = open(LANES.heavy);
  const personal = open(LANES.personal);
  const exports = open(LANES.exports);
  const { ping, close: closePing } = openPing(address);

  return {
    pool,
    heavy,
    personal,
    exports,
    ping,
    /** Runs a single statement. */
    query: (sql: Query<unknown>, values?: unknown[]): Promise<Result> =>
      (needsTransaction ? inOwnTransaction : onConnection)(source, configOf(sql, values)),
    /** Runs the work in one transaction, once. */
    transaction: <T>(work: (tx: Transaction) => Promise<T>, maxStatementMs?: number): Promise<T> =>
      transactionOn(source, work, maxStatementMs),
    /** Runs long read-only queries against one consistent snapshot. */
    snapshot: <T>(work: (queries: Queries) => Promise<T>): Promise<T> =>
      transactionOn(
        source,
        async (tx) => {
          await tx.execute('set transaction isolation level repeatable read, read only');
          await tx.execute('set local idle_in_transaction_session_timeout = 0');
          return work(tx);
        },
        LONGEST_QUERY_MS,
      ),
    close: async (): Promise<void> => {
      await Promise.all([pool.end(), heavy.close(), personal.close(), exports.close(), closePing()]);
    },
  };
}

export type Server = ReturnType<typeof openServer>;

/** Where statements of the pool run. */
interface Source {
  pool: pg.Pool;
  /** The statement that begins a transaction. */
  begin: string;
  slow: SlowStatements | undefined;
  onFailure: (error: Error) => void;
}

/** Sends a statement on a connection of the pool. */
async function onConnection({ pool, slow, onFailure }: Source, config: QueryConfig): Promise<Result> {
  const client = await waitForConnection(() => pool.connect());
  try {
    const result = await timed(client, { slow, onFailure }).query(config);
    client.release();
    return result;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Sends a statement in a transaction of its own, in one round trip. */
async function inOwnTransaction(
  { pool, begin, slow, onFailure }: Source,
  config: QueryConfig,
): Promise<Result> {
  const client = await waitForConnection(() => pool.connect());
  const { query } = timed(client, { slow, onFailure });
  const sent = [query({ text: begin }), query(config), query(COMMIT)] as const;
  const [begun, answered, committed] = await Promise.allSettled(sent);
  client.release(committed.status === 'rejected' ? (committed.reason as Error) : undefined);
  // When the statement failed, the commit rolled back and reports nothing.
  if (begun.status === 'rejected') throw begun.reason;
  if (answered.status === 'rejected') throw answered.reason;
  if (committed.status === 'rejected') throw committed.reason;
  return answered.value;
}

async function transactionOn<T>(
  { pool, begin, slow, onFailure }: Source,
  work: (tx: Transaction) => Promise<T>,
  maxStatementMs?: number,
): Promise<T> {
  const client = await waitForConnection(() => pool.connect());
  const cause = transactionFailure();
  const connection: Connection = timed(client, {
    slow: maxStatementMs === undefined ? slow : undefined,
    onFailure: (error) => {
      cause.remember(error);
      onFailure(error);
    },
  });
  let broken: Error | undefined;
  // `begin` and the last writes are not awaited individually: `begin` is pipelined with the first statement and
  // `commit` with the last. Each saves a round trip while rows are locked.
  const begun = connection.query({ text: begin });
  begun.catch(() => undefined); // reported by `sent`; until then, prevents an unhandled rejection
  const sent: Promise<unknown>[] = [begun];
  const committed: (() => void)[] = [];
  if (maxStatementMs !== undefined) {
    const allowed = connection.query({ text: `set local statement_timeout = ${maxStatementMs}` });
    allowed.catch(() => undefined); // reported by `sent`
    sent.push(allowed);
  }
  // PostgreSQL ends a statement that takes too long; the client gives up only if that does not happen.
  const queryTimeoutMs = maxStatementMs === undefined ? undefined : maxStatementMs + PATIENCE_MS;
  try {
    const result = await work(transactionOver(connection, sent, committed, queryTimeoutMs));
    const ending = connection.query(COMMIT);
    sent.push(ending);
    // If a write failed, this commit rolled back, and that write's error is the first to reject.
    await Promise.all(sent);
    if ((await ending).command === 'ROLLBACK')
      throw isConflict(cause.last()) ? cause.last() : new Error(SWALLOWED, { cause: cause.last() });
    for (const call of committed) call();
    return result;
  } catch (thrown) {
    await Promise.allSettled(sent);
    const error = cause.of(thrown);
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    // The server has become a standby; another one is the primary now.
    if (isReadOnly(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
