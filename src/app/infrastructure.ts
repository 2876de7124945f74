import { type Logger, pino } from 'pino';
import { createCore } from '../kernel/core.ts';
import { databaseMetrics, replicaMetrics } from '../kernel/database/database.metrics.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { databaseClock, independentClock, movedOn } from '../kernel/database/database-clock.ts';
import type { SlowStatement } from '../kernel/database/timed.ts';
import { inProcessBus, inProcessCache } from '../kernel/distributed/in-process.ts';
import { redisBus, redisCache, redisMetrics } from '../kernel/distributed/redis.ts';
import { resilientCache } from '../kernel/distributed/resilient.ts';
import { logWarning } from '../kernel/log-warning.ts';
import { requestLoad } from '../kernel/messaging/back-off.ts';
import { startJobs } from '../kernel/messaging/job-queue.ts';
import type { JobQueue } from '../kernel/messaging/jobs.ts';
import { type MessageCheck, noMessageCheck } from '../kernel/messaging/message-check.ts';
import { messagingMetrics } from '../kernel/messaging/messaging.metrics.ts';
import { oncePerSecond } from '../kernel/time/once-per-second.ts';
import { type Clock, systemClock } from '../kernel/time/time.ts';
import { databaseAccessOf, type PlatformConfig } from './config.ts';

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
  check: MessageCheck;
}

export async function openInfrastructure(
  config: PlatformConfig,
  { log, clock: given, movedOnMs, check }: Options,
) {
  const { databaseUrl, redisUrl } = config;
  const database = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    ...databaseAccessOf(config),
    onBackgroundError: logWarning(log, 'a database connection broke'),
    slow: { ms: config.slowStatementMs, onSlow: logSlow(log) },
  });
  const present = given
    ? independentClock(given)
    : await databaseClock(database, (offsetMs) => log.warn({ offsetMs }, CLOCK_DIFFERS));
  const clock = movedOn(present, movedOnMs);
  const onRedisError = logWarning(log, 'redis');
  const local = inProcessCache(clock);
  const cache = redisUrl ? resilientCache(await redisCache(redisUrl, onRedisError), local) : local;
  const bus = redisUrl ? await redisBus(redisUrl, onRedisError) : inProcessBus();
  const load = requestLoad();
  const queue = await startJobs({
    database,
    url: config.databaseDirectUrl ?? databaseUrl,
    onError: logWarning(log, 'the job queue'),
    onFailed: (name, attempt, error) =>
      log.warn({ queue: name, attempt, error: error.message }, 'job attempt failed'),
    check,
    backOff: load.backOff,
  });
  const { core, backbone } = createCore({ database, clock, cache, bus, queue, log, load, check });
  return {
    core,
    backbone,
    queue,
    metrics: [
      ...databaseMetrics(database, clock),
      ...(config.databaseReadUrl ? replicaMetrics(database) : []),
      ...(redisUrl ? redisMetrics(() => bus.isConnected() && cache.isConnected()) : []),
      ...messagingMetrics(queue, backbone),
    ],
    async close(): Promise<void> {
      clock.stop();
      await Promise.all([cache.close(), bus.close(), database.close()]);
    },
  };
}

/** Logs at most one slow statement a second: when the database is slow, all are. */
function logSlow(log: Logger): (slow: SlowStatement) => void {
  const sparing = oncePerSecond(systemClock);
  return (slow) => {
    const leftOut = sparing('');
    if (leftOut !== undefined) log.warn({ ...slow, leftOut }, 'a slow statement');
  };
}

/** Returns the infrastructure of a platform that is only described: it connects to nothing. */
export function closedInfrastructure(): Pick<Infrastructure, 'core'> {
  // The pool would connect on the first query, which never comes.
  const database = openDatabase({
    url: 'postgresql://localhost/never',
    connections: 1,
    onBackgroundError: () => undefined,
  });
  return createCore({
    database,
    clock: systemClock,
    cache: inProcessCache(systemClock),
    bus: inProcessBus(),
    queue: closedQueue,
    log: pino({ level: 'silent' }),
    load: requestLoad(),
    check: noMessageCheck,
  });
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
