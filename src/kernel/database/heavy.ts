import pg from 'pg';
import { failure, serviceUnavailable } from '../failures.ts';
import type { Queries } from './queries.ts';
import { transactionOver } from './transaction.ts';

/** The client disconnected before its query finished; nobody receives this response. */
export const clientGone = failure(499, 'CLIENT_CLOSED_REQUEST', 'The client closed the connection');

export interface HeavyQueries {
  /**
   * Runs a long read-only query of an operator against one snapshot, on separate connections, so that ordinary requests
   * keep the pool. At most two run at once in each process and eight more wait; each statement may take one minute.
   * @param signal cancels the query, waiting or running, when its caller disconnects
   * @throws 503 when the queue is full, clientGone
   */
  run<T>(work: (queries: Queries) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

const LANES = 2;
const MAX_WAITING = 8;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Longer than the server's timeout, so that the server is the one to cancel a statement. */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
const SESSION_OPTIONS = [
  `statement_timeout=${STATEMENT_TIMEOUT_MS}`,
  'default_transaction_read_only=on',
  'work_mem=64MB',
  'jit=off',
  'timezone=UTC',
];

interface HeavyOptions {
  url: string;
  types: pg.CustomTypesConfig;
  connectTimeoutMs: number;
  onBackgroundError: (error: Error) => void;
  /** Cancels the statement that a backend is running. */
  cancel: (processId: number) => Promise<unknown>;
}

/** Admits callers to a bounded number of lanes with a bounded queue. Resolves to a function that frees the lane. */
function places(lanes: number, maxWaiting: number) {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  return (signal?: AbortSignal): Promise<() => void> => {
    if (signal?.aborted) return Promise.reject(clientGone());
    if (taken < lanes) {
      taken++;
      return Promise.resolve(release);
    }
    if (waiting.length >= maxWaiting) return Promise.reject(serviceUnavailable());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(release);
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(clientGone());
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
}

export function heavyQueries(options: HeavyOptions): HeavyQueries {
  const { url, types, connectTimeoutMs, onBackgroundError, cancel } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: LANES,
    pipeline: true,
    types,
    application_name: 'platform-api heavy',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 10_000,
    options: SESSION_OPTIONS.map((option) => `-c ${option}`).join(' '),
  });
  pool.on('error', onBackgroundError);
  pool.on('connect', (client) => client.on('error', onBackgroundError));
  const take = places(LANES, MAX_WAITING);

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
      const answer = await work(transactionOver(client, [], QUERY_TIMEOUT_MS));
      await client.query('commit');
      return answer;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw signal?.aborted ? clientGone() : error;
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
          throw clientGone();
        }
        return await runOn(client, work, signal);
      } finally {
        release();
      }
    },
    close: () => pool.end(),
  };
}
