import { cachedFor } from '../concurrency/cached-for.ts';
import type { Metric, MetricDescription } from '../metric.ts';
import { MINUTE_MS, SECOND_MS } from '../time/time.ts';
import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

const COMMON = { scope: 'process', group: 'Database' } as const satisfies Partial<MetricDescription>;

/** How often the size is asked for, which looks at each file of the database. */
const SIZE_MS = 5 * MINUTE_MS;

/** The connections of the pool. */
const poolMetrics = (database: Pick<Database, 'connections'>): Metric[] => [
  {
    ...COMMON,
    name: 'db_pool_connections',
    help: 'Open database connections of the pool, of this process',
    read: () => database.connections().open,
  },
  {
    ...COMMON,
    name: 'db_pool_idle_connections',
    help: 'Idle database connections of the pool, of this process',
    read: () => database.connections().idle,
  },
  {
    ...COMMON,
    name: 'db_pool_waiting_requests',
    help: 'Callers in this process that wait for a database connection',
    read: () => database.connections().waiting,
    alerts: [
      {
        name: 'DatabaseConnectionsExhausted',
        query: 'min_over_time(db_pool_waiting_requests[5m])',
        condition: '> 0',
        minutes: 5,
        severity: 'page',
        means:
          'All connections of a process have been in use for minutes: requests are slow, and some are refused with 503.',
        steps: [
          'Look for slow statements in the log (`a slow statement`) and in `pg_stat_activity`, and for `http_request_database_seconds` of single operations.',
          'If the database itself is idle, raise `DATABASE_CONNECTIONS`, within `max_connections` of PostgreSQL, or start more processes.',
        ],
      },
    ],
  },
];

/** How often the replica answered, for processes that have one. */
export const replicaMetrics = (database: Pick<Database, 'replicaUse'>): Metric[] => [
  {
    ...COMMON,
    name: 'db_replica_queries_total',
    help: 'Searches, lists of catalogues, reports, exports and verifications that the replica answered for this process',
    needs: 'DATABASE_READ_URL',
    read: () => database.replicaUse()?.answered ?? 0,
  },
  {
    ...COMMON,
    name: 'db_replica_fallbacks_total',
    help: 'Those that the primary answered for this process instead, because the replica was lost or behind',
    needs: 'DATABASE_READ_URL',
    read: () => database.replicaUse()?.fallbacks ?? 0,
    alerts: [
      {
        name: 'ReplicaUnused',
        query:
          'sum(increase(db_replica_fallbacks_total[15m])) / (sum(increase(db_replica_queries_total[15m])) + sum(increase(db_replica_fallbacks_total[15m])) > 0 or vector(1))',
        condition: '> 0.5',
        minutes: 15,
        severity: 'ticket',
        means: 'The replica is lost or too far behind, and the primary carries its load. No request fails.',
        steps: [
          'The log says why: search for `a database connection broke`.',
          'Look at the replica: whether it runs, streams (`select * from pg_stat_wal_receiver`) and keeps up.',
          'If the primary cannot bear the load, restore the replica before the next peak; it is used again by itself.',
        ],
      },
    ],
  },
];

/** The size of the database, of one process alone. */
export const sizeMetrics = (database: Pick<Database, 'count'>): Metric[] => {
  const size = cachedFor(SIZE_MS, () =>
    database.count('select pg_database_size(current_database())::bigint'),
  );
  return [
    {
      name: 'db_size_bytes',
      help: 'Bytes of the database on disk, of the whole installation',
      scope: 'installation',
      group: 'Database',
      read: size,
    },
  ];
};

/** The database as this process sees it: whether it answers, the connections, and the offset of the clocks. */
export const databaseMetrics = (
  database: Pick<Database, 'connections' | 'ping' | 'writes'>,
  clock: Pick<DatabaseClock, 'offsetMs'>,
): Metric[] => [
  ...poolMetrics(database),
  {
    ...COMMON,
    name: 'db_up',
    help: 'Whether the database answers this process',
    read: () =>
      database.ping().then(
        () => 1,
        () => 0,
      ),
    alerts: [
      {
        name: 'DatabaseUnavailable',
        query: 'min(db_up)',
        condition: '< 1',
        minutes: 1,
        severity: 'page',
        means: 'A process cannot reach PostgreSQL. It answers 503 until it can; jobs wait, nothing is lost.',
        steps: [
          'If all processes are concerned, repair PostgreSQL or fail over to a standby; if only one, look at its network and its settings.',
          'Restart nothing: processes reconnect by themselves.',
          'After a failover `DATABASE_URL` must lead to the new primary; see "Several database servers" in operations.md.',
        ],
      },
    ],
  },
  {
    ...COMMON,
    name: 'db_writable',
    help: 'Whether the database takes what this process writes; 0 from the first write that fails because it is read-only or its disk is full or broken, until one succeeds',
    read: () => Number(!database.writes.isRefused()),
    alerts: [
      {
        name: 'DatabaseRefusesWrites',
        query: 'min(min_over_time(db_writable[2m]))',
        condition: '< 1',
        minutes: 1,
        severity: 'page',
        means:
          'PostgreSQL answers, but takes no writes: it is read-only, or its disk is full or broken. Whoever signs in, pays or posts is answered 503, and jobs wait; what is only read still works.',
        steps: [
          'The log has the reason (`the database refuses writes`).',
          'No space left: free or add space where PostgreSQL keeps its data and its WAL. Look for replication slots that hold WAL back (`select * from pg_replication_slots`) and for a failing `archive_command`; delete nothing in `pg_wal` by hand.',
          'Read-only: `show default_transaction_read_only` for the database and the user, which tools of failover and providers set when the disk is nearly full; or `DATABASE_URL` leads to a standby.',
          'Restart no process: each tries a write every two seconds, and this ends by itself, after a full disk within half a minute.',
        ],
      },
    ],
  },
  {
    ...COMMON,
    name: 'clock_offset_seconds',
    help: 'Seconds by which the clock of the database, which the process follows, is ahead of its own',
    read: () => clock.offsetMs() / SECOND_MS,
    alerts: [
      {
        name: 'ClockDiffers',
        query: 'max(abs(clock_offset_seconds))',
        condition: '> 1',
        minutes: 10,
        severity: 'ticket',
        means:
          'The clock of a machine differs from that of the database. The platform follows the database; logs of different machines are hard to compare.',
        steps: ['Synchronize the clocks of all machines by NTP.'],
      },
    ],
  },
];
