import pg from 'pg';
import { OperatorFault } from '../operator-fault.ts';
import { POOLER_CHOICE, type Pooler } from './poolers.ts';

/** How long a statement waits for a lock. */
export const LOCK_TIMEOUT_MS = 3_000;

/** How PostgreSQL writes and reads times, whatever the database or its user is set to. */
export const TIMES = { timezone: 'UTC', datestyle: 'ISO' };

const sessionSettings = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

/** Statements that set how times are written for a session. */
export const SET_TIMES = sessionSettings(TIMES);

/** The limits of each connection and the form of times, by PostgreSQL's names. */
const SESSION = {
  statement_timeout: '5000',
  lock_timeout: `${LOCK_TIMEOUT_MS}`,
  idle_in_transaction_session_timeout: '10000',
  ...TIMES,
};

/** Returns the statements, each with its semicolon, that make the settings hold until the transaction ends. */
export const localSettings = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `; set local ${name} = '${value}'`)
    .join('');

/** Returns how a pool of connections makes the limits hold. */
export function sessionLimits(pooler: Pooler): {
  /** Options of the pool. */
  pool: pg.PoolConfig;
  /** The statement that begins a transaction. */
  begin: string;
  /** Whether the limits hold in transactions alone, so that a single statement needs one, too. */
  needsTransaction: boolean;
} {
  if (pooler === 'transaction') {
    // A setting of the session would stay with the pooler's connection, which the next transaction of anybody may get.
    return { pool: {}, begin: `begin${localSettings(SESSION)}`, needsTransaction: true };
  }
  if (pooler === 'session') {
    const onConnect = (client: pg.ClientBase) =>
      client.query(sessionSettings(SESSION)) as unknown as undefined;
    return { pool: { onConnect }, begin: 'begin', needsTransaction: false };
  }
  const options = Object.entries(SESSION)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  return { pool: { options }, begin: 'begin', needsTransaction: false };
}

/**
 * A connection that prepares no statement by name: the next transaction may get another of the pooler's connections,
 * which does not know the name.
 */
export class UnnamedStatements extends pg.Client {
  override query: pg.Client['query'] = (config: unknown, ...more: unknown[]) =>
    (super.query as (...all: unknown[]) => never)(withoutName(config), ...more);
}

function withoutName(config: unknown): unknown {
  if (config instanceof pg.Query) return Object.assign(config, { name: undefined });
  return typeof config === 'object' && config !== null && 'name' in config
    ? { ...config, name: undefined }
    : config;
}

/** The parts of a database that {@link refuseLostLimits} reads. */
interface Probed {
  connect(): Promise<pg.PoolClient>;
}

/**
 * Checks that time limits hold on the connections of this pool, and that a pooler works as configured.
 * @param query returns the first row of a statement, sent as all others are
 * @throws OperatorFault
 */
export async function refuseLostLimits(
  pool: Probed,
  pooler: Pooler,
  query: (text: string) => Promise<Record<string, unknown> | undefined>,
): Promise<void> {
  const limit = (await query('show statement_timeout'))?.statement_timeout;
  if (limit !== `${Number(SESSION.statement_timeout) / 1000}s`)
    throw new OperatorFault(
      `Time limits do not hold on connections of DATABASE_URL: statement_timeout is ${limit}. A pooler drops them. ${POOLER_CHOICE}`,
    );
  if (pooler === 'session' && (await isShared(pool)))
    throw new OperatorFault(
      'DATABASE_POOLER is session, but two sessions were given the same connection: the pooler is in transaction or statement mode. Set DATABASE_POOLER=transaction and pool_mode=transaction.',
    );
}

/** Whether a second session is served by the connection of one that is still open. */
async function isShared(pool: Probed): Promise<boolean> {
  const backendOf = async (client: pg.PoolClient) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  try {
    return (await backendOf(one)) === (await backendOf(other));
  } finally {
    one.release();
    other.release();
  }
}
