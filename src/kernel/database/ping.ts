import pg from 'pg';
import { withinTime } from '../concurrency/deadline.ts';
import { shared } from '../concurrency/lazy.ts';
import type { ServerAddress } from './servers.ts';

/** Less than monitoring and balancers wait for the answer of a process. */
const DEADLINE_MS = 1_000;

/**
 * Returns what asks the server whether it answers, on a connection of its own: those of requests may all be in use, and
 * wait for longer.
 */
export function openPing(address: ServerAddress) {
  const pool = new pg.Pool({
    ...address,
    max: 1,
    application_name: 'platform-api ping',
    connectionTimeoutMillis: DEADLINE_MS,
    query_timeout: DEADLINE_MS,
    idleTimeoutMillis: 30_000,
  });
  // The connections of requests break at the same time, and are reported.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    /** Resolves when the server answers a query, and rejects after a second without an answer. */
    ping: shared(async (): Promise<void> => {
      await withinTime(DEADLINE_MS, pool.query('select 1'));
    }),
    close: (): Promise<void> => pool.end(),
  };
}
