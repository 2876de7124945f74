import type { Metric } from '../metric.ts';
import { SECOND_MS } from '../time/time.ts';
import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

const POOL = [
  ['open', 'db_pool_connections', 'Open database connections of this process'],
  ['idle', 'db_pool_idle_connections', 'Idle database connections of this process'],
  ['waiting', 'db_pool_waiting_requests', 'Callers waiting for a database connection'],
] as const;

const REPLICA = [
  ['answered', 'db_replica_queries_total', 'Reports, exports and verifications that the replica answered'],
  ['fallbacks', 'db_replica_fallbacks_total', 'Those that the primary answered instead of the replica'],
] as const;

/** How often the replica answered, for processes that have one. */
export const replicaMetrics = (database: Pick<Database, 'replicaUse'>): Metric[] =>
  REPLICA.map(([figure, name, help]) => ({ name, help, read: () => database.replicaUse()?.[figure] ?? 0 }));

/** The database connections of this process, and the offset between its clock and that of the database. */
export const databaseMetrics = (
  database: Pick<Database, 'connections'>,
  clock: Pick<DatabaseClock, 'offsetMs'>,
): Metric[] => [
  ...POOL.map(([figure, name, help]) => ({ name, help, read: () => database.connections()[figure] })),
  {
    name: 'clock_offset_seconds',
    help: 'Seconds by which the clock of the database, which the process follows, is ahead of its own',
    read: () => clock.offsetMs() / SECOND_MS,
  },
];
