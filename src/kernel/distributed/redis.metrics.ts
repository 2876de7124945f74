import { type AnyMetric, histogram } from '../metric.ts';
import type { Cache } from './cache.ts';

const GROUP = 'External systems' as const;

const CALLS = ['get', 'set', 'delete', 'consume', 'consumeSliding', 'refund'] as const;

/** Whether Redis answers this process. */
export const redisMetrics = (isUp: () => boolean): AnyMetric[] => [
  {
    name: 'redis_up',
    help: 'Whether Redis, or of a cluster each primary, answers this process and takes what it writes',
    scope: 'process',
    group: GROUP,
    needs: 'REDIS_URL',
    read: () => Number(isUp()),
    alerts: [
      {
        name: 'RedisUnavailable',
        query: 'min(redis_up)',
        condition: '< 1',
        minutes: 5,
        severity: 'page',
        means:
          "Rate limits and live messages hold for each process alone: limits are looser, and members connected to different processes do not see each other's messages at once. No request fails.",
        steps: [
          'Restore Redis, or the network to it. Processes find it again within seconds; restart nothing.',
          'The log has the reason (`redis`).',
          'If the server refuses what is written, it is full and evicts nothing (`maxmemory-policy`; see "Redis" in operations.md), or a read-only replica: promote it, or let `REDIS_URL` name the primary.',
        ],
      },
    ],
  },
];

/** Measures the calls of a cache over Redis: how long they took, and whether they were answered. */
export function measuredCache(cache: Cache): { cache: Cache; metrics: AnyMetric[] } {
  const durations = callDurations();
  const measure = <Given extends unknown[], T>(call: (...given: Given) => Promise<T>) => {
    return (...given: Given): Promise<T> => {
      const sinceMs = performance.now();
      const end = (result: string) => durations.observe((performance.now() - sinceMs) / 1000, result);
      const answer = call(...given);
      answer.then(
        () => end('answered'),
        () => end('failed'),
      );
      return answer;
    };
  };
  const measured = Object.fromEntries(
    CALLS.map((name) => [name, measure(cache[name] as () => Promise<unknown>)]),
  );
  return { cache: { ...cache, ...measured }, metrics: [durations] };
}

const callDurations = () =>
  histogram({
    name: 'redis_call_duration_seconds',
    help: 'Duration of calls of this process to Redis for limits and short-lived values, by result (answered, failed)',
    group: GROUP,
    labels: ['result'],
    needs: 'REDIS_URL',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5],
    alerts: [
      {
        name: 'RedisSlow',
        query: 'histogram_quantile(0.99, sum by (le) (rate(redis_call_duration_seconds_bucket[5m])))',
        condition: '> 0.1',
        minutes: 10,
        severity: 'ticket',
        means: 'Redis answers slowly, and every request waits for it once.',
        steps: [
          'Look at its CPU, its memory (`maxmemory`), `SLOWLOG GET`, and at what else uses it.',
          'The network between the processes and Redis should take less than a millisecond.',
        ],
      },
    ],
  });
