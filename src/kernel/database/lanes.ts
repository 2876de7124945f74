import pg from 'pg';
import { semaphore } from '../concurrency/semaphore.ts';
import { failure } from '../failures.ts';
import { transactionFailure } from './faults.ts';
import { localSettings, TIMES, UnnamedStatements } from './pooler.ts';
import type { Queries } from './queries.ts';
import type { ServerAddress } from './servers.ts';
import { timed, waitForConnection } from './timed.ts';
import { transactionOver } from './transaction.ts';

/** The client disconnected before its query finished, so the response is never delivered. */
export const clientDisconnected = failure(499, 'CLIENT_CLOSED_REQUEST', 'The client closed the connection');

/** A separate set of connections for queries that must not occupy the pool of ordinary requests. */
export interface LaneQueries {
  /**
   * Runs read-only queries against one snapshot, on a connection of the lane.
   * @param signal cancels the queries, waiting or running, when their caller disconnects
   * @throws 503 when too many wait, clientDisconnected
   */
  run<T>(work: (queries: Queries) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** The limits of a lane in each process. */
export interface Lane {
  /** The application name of its connections, for operators of the database. */
  name: string;
  /** Maximum number of concurrent callers, each on its own connection. */
  connections: number;
  /** Maximum number of waiting callers. */
  maxWaiting: number;
  /** Timeout of each statement. */
  statementTimeoutMs: number;
  workMem: string;
}

/**
 * How much longer the client waits than PostgreSQL's own statement timeout, which normally ends the statement first.
 */
const PATIENCE_MS = 5_000;

interface LaneOptions {
  address: ServerAddress;
  types: pg.CustomTypesConfig;
  /** Whether frequent statements are prepared by name. */
  namesStatements: boolean;
  connectTimeoutMs: number;
  onBackgroundError: (error: Error) => void;
  /** Cancels the statement that a backend is running. */
  cancel: (processId: number) => Promise<unknown>;
}

/** Opens a lane; it connects when it is first used. */
export function laneQueries(lane: Lane, options: LaneOptions): LaneQueries {
  const { address, types, namesStatements, connectTimeoutMs, onBackgroundError, cancel } = options;
  const queryTimeoutMs = lane.statementTimeoutMs + PATIENCE_MS;
  // Settings of the transaction hold behind poolers, too, which drop the options of a connection. The process id that a
  // connection knows may be the pooler's.
  const begin = `begin isolation level repeatable read read only${localSettings({
    statement_timeout: `${lane.statementTimeoutMs}`,
    work_mem: lane.workMem,
    jit: 'off',
    ...TIMES,
  })}; select pg_backend_pid() as pid`;
  const pool = new pg.Pool({
    ...address,
    max: lane.connections,
    pipeline: true,
    types,
    application_name: `platform-api ${lane.name}`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: 10_000,
    ...(!namesStatements && { Client: UnnamedStatements }),
  });
  pool.on('error', onBackgroundError);
  pool.on('connect', (client) => client.on('error', onBackgroundError));
  const take = semaphore(lane.connections, lane.maxWaiting, clientDisconnected);

  /** Begins a transaction on the connection, and returns the id of the backend that serves it. */
  async function beginOn(client: pg.PoolClient): Promise<number | undefined> {
    const answers = (await client.query(begin)) as unknown as pg.QueryResult<{ pid: number }>[];
    return answers.at(-1)?.rows[0]?.pid;
  }

  async function runOn<T>(
    client: pg.PoolClient,
    work: (queries: Queries) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    let pid: number | undefined;
    let cancelled: Promise<unknown> | undefined;
    const end = (): void => {
      if (pid !== undefined) cancelled = cancel(pid).catch(onBackgroundError);
    };
    let broken: Error | undefined;
    const cause = transactionFailure();
    const connection = timed(client, { onFailure: cause.remember });
    signal?.addEventListener('abort', end, { once: true });
    try {
      pid = await beginOn(client);
      if (signal?.aborted) throw clientDisconnected();
      const answer = await work(transactionOver(connection, [], [], queryTimeoutMs));
      signal?.removeEventListener('abort', end);
      await cancelled;
      await client.query('commit');
      return answer;
    } catch (error) {
      // After the transaction a pooler may lend its connection to others, whom a late cancel must not hit.
      await cancelled;
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw signal?.aborted ? clientDisconnected() : cause.of(error);
    } finally {
      signal?.removeEventListener('abort', end);
      // Destroys the client after an abort: a late cancel must not hit the next caller's statement.
      client.release(broken ?? signal?.aborted);
    }
  }

  return {
    async run(work, signal) {
      const release = await waitForConnection(() => take(signal));
      try {
        const client = await waitForConnection(() => pool.connect());
        if (signal?.aborted) {
          client.release();
          throw clientDisconnected();
        }
        return await runOn(client, work, signal);
      } finally {
        release();
      }
    },
    close: () => pool.end(),
  };
}
