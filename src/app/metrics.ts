import { databaseMetrics, replicaMetrics, sizeMetrics } from '../kernel/database/database.metrics.ts';
import type { Database } from '../kernel/database/database.ts';
import type { DatabaseClock } from '../kernel/database/database-clock.ts';
import { redisMetrics } from '../kernel/distributed/redis.metrics.ts';
import type { JobQueue } from '../kernel/messaging/jobs.ts';
import { messagingMetrics } from '../kernel/messaging/messaging.metrics.ts';
import type { AnyMetric, Metric, MetricDescription } from '../kernel/metric.ts';
import { type PlatformConfig, runsJobs } from './config.ts';
import { buildMetrics } from './version.ts';

interface Parts {
  config: Pick<PlatformConfig, 'databaseReadUrl' | 'redisUrl'>;
  database: Pick<Database, 'connections' | 'ping' | 'writes' | 'count' | 'replicaUse'>;
  clock: Pick<DatabaseClock, 'offsetMs'>;
  queue: Pick<JobQueue, 'queues' | 'settled'>;
  backbone: Parameters<typeof messagingMetrics>[1];
  isRedisUp: () => boolean;
}

/** The metrics of what the gateway and the modules are built on. */
export const infrastructureMetrics = ({ config, database, clock, ...parts }: Parts): AnyMetric[] => [
  ...databaseMetrics(database, clock),
  ...sizeMetrics(database),
  ...(config.databaseReadUrl ? replicaMetrics(database) : []),
  ...(config.redisUrl ? redisMetrics(parts.isRedisUp) : []),
  ...messagingMetrics(parts.queue, parts.backbone),
];

/** Whether this process tells of the whole installation, of which one process does at a time. */
const reporterMetric = (isReporter: () => Promise<boolean>): Metric => ({
  name: 'metrics_reporter',
  help: 'Whether this process exports the figures of the whole installation; one that runs jobs does, the others leave them out',
  scope: 'process',
  group: 'Processes',
  read: async () => Number(await isReporter()),
  alerts: [
    {
      name: 'NoReporter',
      query: 'sum(metrics_reporter) or vector(0)',
      condition: '< 1',
      minutes: 5,
      severity: 'page',
      means:
        'No process tells of the whole installation, so alerts on jobs, events, the ledger and backups are blind. Usually no worker runs: nothing leaves the outbox.',
      steps: [
        'Start a worker (`ROLE=worker`, or `all`), and see that Prometheus scrapes it.',
        'While the database is away this is expected; see `DatabaseUnavailable`.',
      ],
    },
  ],
});

/** Returns the metrics of a process; figures of the installation come only from processes that run jobs. */
export function metricsOf(
  config: PlatformConfig,
  infrastructure: { metrics: AnyMetric[] },
  { metrics, gateway }: { metrics: AnyMetric[]; gateway: { isReporter: () => Promise<boolean> } },
): AnyMetric[] {
  const isWorker = runsJobs(config.role);
  return [
    ...buildMetrics(config),
    ...infrastructure.metrics,
    ...metrics,
    ...(isWorker ? [reporterMetric(gateway.isReporter)] : []),
  ].filter(({ scope }) => isWorker || scope === 'process');
}

/** What Node's library and Prometheus itself export, as far as alerts and dashboards use it. */
export const FOREIGN_METRICS: readonly MetricDescription[] = [
  {
    name: 'up',
    help: 'Whether Prometheus could scrape the process',
    scope: 'process',
    group: 'Processes',
    alerts: [
      {
        name: 'ProcessAway',
        query: 'up and on (instance, job) (last_over_time(platform_build_info[1h]))',
        condition: '== 0',
        minutes: 2,
        severity: 'page',
        means: 'A process does not answer Prometheus. If others of its role run, members notice nothing yet.',
        steps: [
          'Does it run? Its supervisor knows its exit code; the last lines of its log say why (`fatal` for a crash; none if it was killed, for want of memory for example).',
          'If it runs and hangs (`/health/live` does not answer), restart it.',
        ],
      },
    ],
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970',
    scope: 'process',
    group: 'Processes',
    alerts: [
      {
        name: 'ProcessRestarts',
        query: 'changes(process_start_time_seconds[30m])',
        condition: '> 2',
        minutes: 0,
        severity: 'page',
        means: 'A process starts again and again.',
        steps: [
          'The log before each start has the reason at level 60 (`uncaught exception`), or a sentence about a setting.',
          'If the log just ends, it was killed: look for the out-of-memory killer and at `process_resident_memory_bytes`.',
        ],
      },
    ],
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process',
    scope: 'process',
    group: 'Processes',
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process; 1 a second is a whole core',
    scope: 'process',
    group: 'Processes',
  },
  {
    name: 'process_open_fds',
    help: 'Open files and connections of the process',
    scope: 'process',
    group: 'Processes',
    alerts: [
      {
        name: 'FilesNearLimit',
        query: 'max by (instance) (process_open_fds / process_max_fds)',
        condition: '> 0.8',
        minutes: 5,
        severity: 'ticket',
        means:
          'A process has nearly as many files and connections open as the system allows it. At the limit it can accept no connection.',
        steps: ['Raise the limit (`LimitNOFILE`, `ulimit -n`), or start more processes.'],
      },
    ],
  },
  {
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'Delay of the event loop: how long work of the process waits for its only thread',
    scope: 'process',
    group: 'Processes',
    alerts: [
      {
        name: 'EventLoopSlow',
        query: 'max by (instance) (nodejs_eventloop_lag_p99_seconds)',
        condition: '> 0.2',
        minutes: 5,
        severity: 'ticket',
        means: 'A process has more to do than one thread can: everything it answers is late.',
        steps: [
          'Start more processes of its role. If only one is concerned, look at what it does in the log.',
        ],
      },
    ],
  },
];
