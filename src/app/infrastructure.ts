import { type Logger, pino } from 'pino';
import { createCore } from '../kernel/core.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { databaseClock, independentClock, movedOn } from '../kernel/database/database-clock.ts';
import type { SlowStatement } from '../kernel/database/timed.ts';
import type { Siblings } from '../kernel/distributed/in-cluster.ts';
import { inProcessBus, inProcessCache } from '../kernel/distributed/in-process.ts';
import { measuredCache } from '../kernel/distributed/redis.metrics.ts';
import { redisCache } from '../kernel/distributed/redis.ts';
import { redisBus } from '../kernel/distributed/redis-bus.ts';
import { resilientCache } from '../kernel/distributed/resilient.ts';
import { openSecrets } from '../kernel/lasting-key.ts';
import { logWarning } from '../kernel/log-warning.ts';
import { requestLoad } from '../kernel/messaging/back-off.ts';
import { startJobs } from '../kernel/messaging/job-queue.ts';
import type { JobQueue } from '../kernel/messaging/jobs.ts';
import { type MessageCheck, noMessageCheck } from '../kernel/messaging/message-check.ts';
import { jobDurations } from '../kernel/messaging/messaging.metrics.ts';
import type { AnyMetric } from '../kernel/metric.ts';
import { spanCounts } from '../kernel/net/tracing.ts';
import { type SecretKeys, secretsOf } from '../kernel/secrets.ts';
import { oncePerSecond } from '../kernel/time/once-per-second.ts';
import { type Clock, systemClock } from '../kernel/time/time.ts';
import { databaseAccessOf, type PlatformConfig, queueConnectionsOf } from './config.ts';
import { infrastructureMetrics } from './metrics.ts';
import { keyInUse } from './modules.ts';
import { tracingOf } from './tracing.ts';

const CLOCK_DIFFERS =
  'the clock of this process differed from that of the database and now follows it; synchronize both by NTP';

/** The dependencies of the gateway and the modules: database, cache, bus, jobs, events and clock. */
export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>;

interface Options {
  log: Logger;
  /** Set by tests; otherwise the clock follows the database. */
  clock: Clock | undefined;
  /** The offset of the clock in milliseconds, in development. */
  movedOnMs: () => number;
  /** The other processes of the machine, with which it shares the bus and counters unless there is a Redis. */
  siblings: Siblings | undefined;
  check: MessageCheck;
}

export async function openInfrastructure(
  config: PlatformConfig,
  { log, clock: given, movedOnMs, siblings, check }: Options,
) {
  const { databaseUrl, redisUrl, secretKey, secretKeyFallbacks = [] } = config;
  const database = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    ...databaseAccessOf(config),
    onBackgroundError: logWarning(log, 'a database connection broke'),
    slow: { ms: config.slowStatementMs, onSlow: logSlow(log) },
    onWrites: logWrites(log),
  });
  const secretKeys: SecretKeys = [secretKey, ...secretKeyFallbacks];
  const secrets = await openSecrets(database, secretKeys, () => keyInUse(database, secretKeys));
  const present = given
    ? independentClock(given)
    : await databaseClock(database, (offsetMs) => log.warn({ offsetMs }, CLOCK_DIFFERS));
  const clock = movedOn(present, movedOnMs);
  const onRedisError = logWarning(log, 'redis');
  const onRedisTaken = (): void => log.warn('redis accepts writes again');
  const local = inProcessCache(clock);
  const measured = redisUrl
    ? measuredCache(await redisCache(redisUrl, onRedisError, onRedisTaken))
    : undefined;
  const shared = measured?.cache ?? siblings?.cache;
  const cache = shared ? resilientCache(shared, local) : local;
  const bus = redisUrl ? await redisBus(redisUrl, onRedisError) : (siblings?.bus ?? inProcessBus());
  const onQueueError = logWarning(log, 'the job queue');
  const load = requestLoad();
  const durations = jobDurations();
  const tracing = tracingOf(config, log);
  const queue = await startJobs({
    tracing,
    database,
    url: config.databaseDirectUrl ?? databaseUrl,
    connections: queueConnectionsOf(config),
    onError: (error) => {
      database.writes.failed(error);
      onQueueError(error);
    },
    onFailed: (name, attempt, error) =>
      log.warn({ queue: name, attempt, error: error.message }, 'job attempt failed'),
    onDone: (name, seconds) => durations.observe(seconds, name),
    check,
    backOff: load.backOff,
  });
  const { core, backbone } = createCore({ database, clock, cache, bus, queue, log, load, tracing, check });
  const isRedisUp = (): boolean => bus.isConnected() && cache.isConnected();
  return {
    core,
    secrets,
    backbone,
    queue,
    metrics: [
      ...infrastructureMetrics({ config, database, clock, queue, backbone, isRedisUp }),
      ...(measured?.metrics ?? []),
      durations,
      ...(tracing?.metrics ?? []),
    ] satisfies AnyMetric[],
    async close(): Promise<void> {
      clock.stop();
      await Promise.all([cache.close(), bus.close(), database.close(), tracing?.close()]);
    },
  };
}

const logWrites = (log: Logger): { refused: (error: Error) => void; taken: () => void } => ({
  refused: ({ message }) => log.error({ error: message }, 'the database refuses writes'),
  taken: () => log.warn('the database accepts writes again'),
});

/** Logs at most one slow statement a second: when the database is slow, all are. */
function logSlow(log: Logger): (slow: SlowStatement) => void {
  const sparing = oncePerSecond(systemClock);
  return (slow) => {
    const leftOut = sparing('');
    if (leftOut !== undefined) log.warn({ ...slow, leftOut }, 'a slow statement');
  };
}

/** Returns the infrastructure of a platform that is only described: it connects to nothing. */
export function closedInfrastructure(
  config: PlatformConfig,
): Pick<Infrastructure, 'core' | 'secrets' | 'metrics'> {
  // The pool would connect on the first query, which never comes.
  const database = openDatabase({
    url: 'postgresql://localhost/never',
    connections: 1,
    onBackgroundError: () => undefined,
  });
  const { core, backbone } = createCore({
    database,
    clock: systemClock,
    cache: inProcessCache(systemClock),
    bus: inProcessBus(),
    queue: closedQueue,
    log: pino({ level: 'silent' }),
    load: requestLoad(),
    tracing: undefined,
    check: noMessageCheck,
  });
  const clock = { offsetMs: () => 0 };
  const parts = { config, database, clock, queue: closedQueue, backbone, isRedisUp: () => false };
  const metrics = [
    ...infrastructureMetrics(parts),
    ...(config.redisUrl ? measuredCache(core.cache).metrics : []),
    jobDurations(),
    ...(config.otlpEndpoint ? [spanCounts()] : []),
  ];
  return { core, secrets: secretsOf(['no secret: only described']), metrics };
}

const refused = () =>
  Promise.reject(new Error('This platform was built only to generate descriptions; it cannot run jobs.'));
const closedQueue: JobQueue = {
  enqueue: refused,
  prepare: refused,
  work: refused,
  drain: refused,
  stop: refused,
  settled: () => new Map(),
  unfinished: refused,
  bringForward: refused,
  queues: refused,
  schedules: refused,
  dead: { pageOf: refused, lock: refused, delete: refused },
  revive: refused,
  startNow: refused,
};
