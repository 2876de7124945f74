import { type Metrics, type Sample, sparingly } from '../gateway/index.ts';
import type { Database } from '../kernel/database/database.ts';
import type { JobQueue } from '../kernel/messaging/jobs.ts';
import type { CircuitBoard } from '../kernel/net/circuit-breaker.ts';
import { SECOND_MS } from '../kernel/time/time.ts';
import type { Infrastructure } from './infrastructure.ts';
import { platformVersion } from './version.ts';

/** Minimum interval between database queries for metrics, however many scrapers there are. */
const DATABASE_FIGURES_MS = 10 * SECOND_MS;
const DEAD_LETTERS = '.dead';

interface Watched extends Pick<Infrastructure, 'core' | 'queue' | 'backbone' | 'clock' | 'isRedisUp'> {
  board: CircuitBoard;
  build: { role: string; commit: string };
}

/** Registers the metrics of the process and its infrastructure; modules register their own. */
export function addInfrastructureMetrics(
  metrics: Metrics,
  { core, queue, backbone, clock, isRedisUp, board, build }: Watched,
): void {
  const labels = {
    version: platformVersion(),
    commit: build.commit,
    node: process.version,
    role: build.role,
  };
  metrics.gauges('platform_build_info', 'The running build; always 1', Object.keys(labels), () => [
    { labels, value: 1 },
  ]);
  addPool(metrics, core.database);
  metrics.gauge(
    'clock_offset_seconds',
    'Seconds by which the clock of the database, which the process follows, is ahead of its own',
    () => clock.offsetMs() / SECOND_MS,
  );
  if (isRedisUp) metrics.gauge('redis_up', 'Whether Redis answers this process', () => Number(isRedisUp()));
  metrics.gauges(
    'circuit_open',
    'Whether calls to an external system are suspended after failures',
    ['system'],
    () => board.states().map(({ system, isOpen }) => ({ labels: { system }, value: Number(isOpen) })),
  );
  addJobs(metrics, queue);
  const outbox = sparingly(DATABASE_FIGURES_MS, backbone.lag);
  metrics.gauge(
    'outbox_events',
    'Event writes not yet in the queues of their subscribers, up to 10,000; across all processes',
    async () => (await outbox()).rows,
  );
  metrics.gauge(
    'outbox_lag_seconds',
    'Age of the oldest event write not yet in the queues of its subscribers; across all processes',
    async () => (await outbox()).oldestSeconds,
  );
}

function addPool(metrics: Metrics, database: Database): void {
  const figures = [
    ['open', 'db_pool_connections', 'Open database connections of this process'],
    ['idle', 'db_pool_idle_connections', 'Idle database connections of this process'],
    ['waiting', 'db_pool_waiting_requests', 'Callers waiting for a database connection'],
  ] as const;
  for (const [figure, name, help] of figures) metrics.gauge(name, help, () => database.connections()[figure]);
}

function addJobs(metrics: Metrics, jobs: JobQueue): void {
  const queues = sparingly(DATABASE_FIGURES_MS, jobs.queues);
  metrics.gauges(
    'jobs',
    'Jobs by queue and state, up to 10,000 waiting per queue; dead jobs require manual action; across all processes',
    ['queue', 'state'],
    async () =>
      (await queues()).flatMap(({ queue, ready, delayed, active }): Sample[] => {
        const dead = withoutSuffix(queue);
        if (dead !== undefined) return [{ labels: { queue: dead, state: 'dead' }, value: ready }];
        const states = { ready, delayed, active };
        return Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value }));
      }),
  );
  metrics.gauges(
    'jobs_oldest_seconds',
    'How long the oldest ready job has waited; across all processes',
    ['queue'],
    async () =>
      (await queues())
        .filter(({ queue }) => withoutSuffix(queue) === undefined)
        .map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  );
  metrics.counters('jobs_done_total', 'Finished job attempts of this process', ['queue', 'result'], () =>
    [...jobs.settled()].flatMap(([queue, results]) =>
      Object.entries(results).map(([result, value]) => ({ labels: { queue, result }, value })),
    ),
  );
}

const withoutSuffix = (queue: string): string | undefined =>
  queue.endsWith(DEAD_LETTERS) ? queue.slice(0, -DEAD_LETTERS.length) : undefined;
