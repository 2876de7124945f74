import { OperatorFault } from '../operator-fault.ts';
import type { Queries } from './queries.ts';

/** The kinds of installations. In development external systems are played by a sandbox. */
export const ENVIRONMENTS = ['development', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** The process is of another environment than the database. */
class EnvironmentFault extends OperatorFault {
  override readonly name = 'EnvironmentFault';

  constructor(stored: Environment, own: Environment) {
    super(
      `The database of DATABASE_URL is that of a ${stored} installation, and this process is one of ${own}. ${ADVICE[own]}`,
    );
  }
}

const ADVICE: Record<Environment, string> = {
  development:
    'Set ENVIRONMENT=production, or DATABASE_URL to another database. If this one is a copy that is now for development, run "npm run platform -- environment set --to development".',
  production:
    'Set DATABASE_URL to another database. If this one is to be that of production from now on, with the keys and accounts that it has, run "npm run platform -- environment set --to production".',
};

/** Returns the environment of the installation; undefined while no process has stored it. */
export async function storedEnvironment(queries: Pick<Queries, 'first'>): Promise<Environment | undefined> {
  const table = await queries.first<{ exists: boolean }>(
    `select to_regclass('kernel.environment') is not null as exists`,
  );
  if (!table?.exists) return undefined;
  return (await queries.first<{ name: Environment }>('select name from kernel.environment'))?.name;
}

/**
 * Checks that the database is not that of another environment; before anything is written, migrations included.
 * @throws EnvironmentFault
 */
export async function refuseOtherEnvironment(
  queries: Pick<Queries, 'first'>,
  own: Environment,
): Promise<void> {
  const stored = await storedEnvironment(queries);
  if (stored !== undefined && stored !== own) throw new EnvironmentFault(stored, own);
}

/**
 * Stores the environment in a migrated database, which keeps that of the first process.
 * @throws EnvironmentFault when another process was faster and is of another environment
 */
export async function keepEnvironment(
  queries: Pick<Queries, 'first' | 'execute'>,
  own: Environment,
): Promise<void> {
  if ((await storedEnvironment(queries)) === undefined)
    await queries.execute('insert into kernel.environment (name) values ($1) on conflict do nothing', [own]);
  await refuseOtherEnvironment(queries, own);
}

/** Returns from where sessions with this application name are connected to the database: addresses, or `a socket`. */
export async function sessionsNamed(queries: Pick<Queries, 'all'>, name: string): Promise<string[]> {
  const sessions = await queries.all<{ address: string }>(
    `select distinct coalesce(host(client_addr), 'a socket') as address from pg_stat_activity
     where datname = current_database() and application_name = $1 order by 1 limit 20`,
    [name],
  );
  return sessions.map(({ address }) => address);
}

/** Makes a migrated database that of another environment. */
export async function changeEnvironment(queries: Pick<Queries, 'execute'>, to: Environment): Promise<void> {
  await queries.execute(
    'insert into kernel.environment (name) values ($1) on conflict (only_one) do update set name = excluded.name',
    [to],
  );
}
