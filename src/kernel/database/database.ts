import { serviceUnavailable } from '../failures.ts';
import { isOutage } from '../outages.ts';
import { isConflict } from './faults.ts';
import type { LaneQueries } from './lanes.ts';
import { refuseLostLimits } from './pooler.ts';
import type { Pooler } from './poolers.ts';
import { type Queries, type Query, statement, type Transaction } from './queries.ts';
import { openReads, type Reads } from './reads.ts';
import { type RefusedWrites, refusedWrites } from './refused-writes.ts';
import { type ReplicaUse, replicaFirst } from './replica.ts';
import { catchingUp } from './replica-position.ts';
import { countOf, rowsOf } from './rows.ts';
import { openServer, type Server } from './server.ts';
import type { SlowStatements } from './timed.ts';
import { inserter, updater } from './writes.ts';

export interface Database extends Queries {
  /**
   * Runs the work in one transaction and commits it; rolls back when the work throws. Retries after a deadlock or a
   * serialization failure, at most three attempts in all, so the work must have no effects outside the transaction. A
   * statement may take five seconds, or `maxStatementMs`, for jobs that aggregate many rows.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { maxStatementMs?: number }): Promise<T>;
  /**
   * Runs long read-only queries against one consistent snapshot; a statement may take a day. Where there is a replica,
   * `onReplica` lets it answer; the work may then run several times, and must not read unlogged tables.
   */
  snapshot<T>(work: (queries: Queries) => Promise<T>, options?: { onReplica?: boolean }): Promise<T>;
  /** Short queries of members that the replica may answer, if there is one: searches and catalogues. */
  reads: Reads;
  /** Long queries of operators, on the replica if there is one, with separate connections, time limits and a queue. */
  heavy: Pick<LaneQueries, 'run'>;
  /** Queries of members over all records of their own, with separate connections, time limits and a queue. */
  personal: Pick<LaneQueries, 'run'>;
  /** Pages of exports, on the replica if there is one, with separate connections, time limits and a queue. */
  exports: Pick<LaneQueries, 'run'>;
  /** Returns how often a replica answered; undefined without one. */
  replicaUse(): ReplicaUse | undefined;
  /** Resolves when the database answers a query, and rejects after a second without an answer. */
  ping(): Promise<void>;
  /** Whether the database refuses writes while it answers queries, such as with a full disk. */
  writes: Pick<RefusedWrites, 'isRefused' | 'failed'>;
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
  /** A replica for long queries, and for how long they wait until it has caught up. */
  replica?: { url: string; maxLagMs: number };
  /** Called when an idle connection breaks or the replica cannot be used, until `close`. */
  onBackgroundError: (error: Error) => void;
  /** How long the client waits for a response, by default 15 seconds: longer than a statement may take. */
  answerTimeoutMs?: number;
  /** What to do with slow statements, except those for which a longer time is allowed; by default nothing. */
  slow?: SlowStatements;
  /** What to do when the database begins to refuse writes, and when it takes them again; by default nothing. */
  onWrites?: { refused: (error: Error) => void; taken: () => void };
  /** For how long a full disk must not have been noticed before it counts as mended, in milliseconds; for tests. */
  uncertainMs?: number;
}

const ATTEMPTS = 3;
/** A write that changes nothing. */
const trial = statement<never>('kernel.try-write', 'update kernel.environment set name = name');
/** Connections to a replica besides those of lanes and reads: for snapshots, positions and cancellations. */
const REPLICA_CONNECTIONS = 3;
/** How long a search waits for the replica; a member would notice more. */
const MAX_READ_LAG_MS = 250;
/** A replica that does not answer within this time is lost, since the primary can answer. */
const REPLICA_ANSWER_MS = 6_000;

export function openDatabase({
  url,
  connections,
  answerTimeoutMs = 15_000,
  pooler = 'none',
  namesStatements = pooler !== 'transaction',
  ...options
}: DatabaseOptions): Database {
  let isClosed = false;
  // The pool's `end` does not wait until its connections are closed. A server that stops at that moment breaks them,
  // which is expected.
  const onBackgroundError = (error: Error): void => {
    if (!isClosed) options.onBackgroundError(error);
  };
  const common = { pooler, namesStatements, onBackgroundError, answerTimeoutMs };
  const writes = refusedWrites({ ...options, tryWrite: () => primary.query(trial) });
  const primary = openServer({
    ...common,
    url,
    connections,
    slow: options.slow,
    onFailure: writes.failed,
  });
  const replica =
    options.replica &&
    openServer({
      ...common,
      url: options.replica.url,
      connections: connections + REPLICA_CONNECTIONS,
      answerTimeoutMs: Math.min(answerTimeoutMs, REPLICA_ANSWER_MS),
      slow: options.slow,
    });
  const lagging =
    options.replica &&
    replica &&
    preferReplica(primary, replica, options.replica.maxLagMs, onBackgroundError);
  const first = lagging?.reports;
  const { pool, query } = primary;
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
          return await primary.transaction(work, maxStatementMs);
        } catch (error) {
          if (attempt >= ATTEMPTS || !isConflict(error)) throw error;
        }
      }
    },
    snapshot: (work, { onReplica = false } = {}) =>
      onReplica && first && replica
        ? first.run(
            () => replica.snapshot(work),
            () => primary.snapshot(work),
          )
        : primary.snapshot(work),
    reads: openReads(primary, replica, lagging?.reads),
    heavy: first && replica ? first.lane(replica.heavy, primary.heavy) : primary.heavy,
    personal: primary.personal,
    exports: first && replica ? first.lane(replica.exports, primary.exports) : primary.exports,
    replicaUse: () => lagging?.use,
    ping: primary.ping,
    writes,
    refuseLostLimits: () => refuseLostLimits(pool, pooler, async (text) => (await query(text)).rows[0]),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      isClosed = true;
      writes.close();
      await Promise.all([primary.close(), replica?.close()]);
    },
  };
}

/** Returns what prefers the replica: reports, which wait for it, and reads of members, which hardly do. */
function preferReplica(primary: Server, replica: Server, maxLagMs: number, onUnused: (error: Error) => void) {
  const use: ReplicaUse = { answered: 0, fallbacks: 0 };
  const catchUp = catchingUp(primary, replica);
  return {
    use,
    reports: replicaFirst({ catchUp, maxLagMs, use, onUnused }),
    reads: replicaFirst({
      catchUp: catchingUp(primary, replica),
      maxLagMs: Math.min(maxLagMs, MAX_READ_LAG_MS),
      use,
      onUnused,
    }),
  };
}

/**
 * Translates a database error for callers: an outage becomes a retryable 503, as does work that lost to others each time
 * it was tried; anything else is a bug and is returned as is.
 */
export function translateDatabaseError(error: unknown): unknown {
  return isOutage(error) || isConflict(error) ? serviceUnavailable(error) : error;
}
