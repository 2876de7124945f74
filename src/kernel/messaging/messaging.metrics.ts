import { cachedFor } from '../concurrency/cached-for.ts';
import type { Metric, Sample } from '../metric.ts';
import { SECOND_MS } from '../time/time.ts';
import { ownerOfDeadLetters } from './dead-letters.ts';
import type { JobQueue } from './jobs.ts';
import type { eventBackbone } from './outbox.ts';

type EventBackbone = ReturnType<typeof eventBackbone>;

/** Minimum interval between database queries for metrics, however many scrapers there are. */
const DATABASE_FIGURES_MS = 10 * SECOND_MS;

/** Jobs by queue, and the backlog of the event relay. */
export const messagingMetrics = (
  jobs: Pick<JobQueue, 'queues' | 'settled'>,
  backbone: Pick<EventBackbone, 'lag'>,
): Metric[] => [...jobMetrics(jobs), ...outboxMetrics(backbone)];

function jobMetrics(jobs: Pick<JobQueue, 'queues' | 'settled'>): Metric[] {
  const queues = cachedFor(DATABASE_FIGURES_MS, jobs.queues);
  return [
    {
      name: 'jobs',
      help: 'Jobs by queue and state, up to 10,000 waiting per queue; dead jobs require manual action; across all processes',
      labels: ['queue', 'state'],
      read: async () =>
        (await queues()).flatMap(({ queue, ready, delayed, active }): Sample[] => {
          const owner = ownerOfDeadLetters(queue);
          if (owner !== undefined) return [{ labels: { queue: owner, state: 'dead' }, value: ready }];
          const states = { ready, delayed, active };
          return Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value }));
        }),
    },
    {
      name: 'jobs_oldest_seconds',
      help: 'How long the oldest ready job has waited; across all processes',
      labels: ['queue'],
      read: async () =>
        (await queues())
          .filter(({ queue }) => ownerOfDeadLetters(queue) === undefined)
          .map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
    },
    {
      name: 'jobs_done_total',
      help: 'Finished job attempts of this process',
      labels: ['queue', 'result'],
      read: () =>
        [...jobs.settled()].flatMap(([queue, results]) =>
          Object.entries(results).map(([result, value]) => ({ labels: { queue, result }, value })),
        ),
    },
  ];
}

function outboxMetrics(backbone: Pick<EventBackbone, 'lag'>): Metric[] {
  const lag = cachedFor(DATABASE_FIGURES_MS, backbone.lag);
  return [
    {
      name: 'outbox_events',
      help: 'Event writes not yet in the queues of their subscribers, up to 10,000; across all processes',
      read: async () => (await lag()).rows,
    },
    {
      name: 'outbox_lag_seconds',
      help: 'Age of the oldest event write not yet in the queues of its subscribers; across all processes',
      read: async () => (await lag()).oldestSeconds,
    },
  ];
}
