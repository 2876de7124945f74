import pg from 'pg';
import { semaphore } from '../concurrency/semaphore.ts';
import { failure } from '../failures.ts';
import type { Queries } from './queries.ts';
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
  url: string;
  types: pg.CustomTypesConfig;
  connectTimeoutMs: number;
  onBackgroundError: (error: Error) => void;
  /** Cancels the statement that a backend is running. */
  cancel: (processId: number) => Promise<unknown>;
}

/** Opens a lane; it connects when it is first used. */
export function laneQueries(lane: Lane, options: LaneOptions): LaneQueries {
  const { url, types, connectTimeoutMs, onBackgroundError, cancel } = options;
  const queryTimeoutMs = lane.statementTimeoutMs + PATIENCE_MS;
  const session = [
    `statement_timeout=${lane.statementTimeoutMs}`,
    'default_transaction_read_only=on',
    `work_mem=${lane.workMem}`,
    'jit=off',
    'timezone=UTC',
  ];
  const pool = new pg.Pool({
    connectionString: url,
    max: lane.connections,
    pipeline: true,
    types,
    application_name: `platform-api ${lane.name}`,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: 10_000,
    options: session.map((option) => `-c ${option}`).join(' '),
  });
  pool.on('error', onBackgroundError);
  pool.on('connect', (client) => client.on('error', onBackgroundError));
  const take = semaphore(lane.connections, lane.maxWaiting, clientDisconnected);

  async function runOn<T>(
    client: pg.PoolClient,
    work: (queries: Queries) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { processID } = client as unknown as { processID: number };
    const end = (): void => void cancel(processID).catch(onBackgroundError);
    let broken: Error | undefined;
    signal?.addEventListener('abort', end, { once: true });
    try {
      await client.query('begin isolation level repeatable read read only');
      const answer = await work(transactionOver(client, [], queryTimeoutMs));
      await client.query('commit');
      return answer;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw signal?.aborted ? clientDisconnected() : error;
    } finally {
      signal?.removeEventListener('abort', end);
      // Destroys the client after an abort: a late cancel must not hit the next caller's statement.
      client.release(broken ?? signal?.aborted);
    }
  }

  return {
    async run(work, signal) {
      const release = await take(signal);
      try {
        const client = await pool.connect();
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
