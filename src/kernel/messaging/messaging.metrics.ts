import { cachedFor } from '../concurrency/cached-for.ts';
import type { HistogramMetric, Metric, MetricDescription, Sample } from '../metric.ts';
import { histogram } from '../metric.ts';
import { SECOND_MS } from '../time/time.ts';
import { ownerOfDeadLetters } from './dead-letters.ts';
import type { JobQueue } from './jobs.ts';
import type { eventBackbone } from './outbox.ts';

type EventBackbone = ReturnType<typeof eventBackbone>;

/** Minimum interval between database queries for metrics, however many scrapers there are. */
const DATABASE_FIGURES_MS = 10 * SECOND_MS;

/** Queues whose jobs take minutes, so that some wait while all is well. */
const PATIENT = 'media\\\\..*|exports\\\\..*';

const GROUP = 'Jobs and events' as const satisfies MetricDescription['group'];

/** How long attempts of jobs took, in this process. */
export const jobDurations = (): HistogramMetric =>
  histogram({
    name: 'job_duration_seconds',
    help: 'Duration of attempts of jobs of this process, by queue; several that ran together count once',
    group: GROUP,
    labels: ['queue'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  });

/** Jobs by queue, and the backlog of the event relay. */
export const messagingMetrics = (
  jobs: Pick<JobQueue, 'queues' | 'settled'>,
  backbone: Pick<EventBackbone, 'lag'>,
): Metric[] => [...queueMetrics(jobs), attemptMetric(jobs), ...outboxMetrics(backbone)];

function queueMetrics(jobs: Pick<JobQueue, 'queues'>): Metric[] {
  const queues = cachedFor(DATABASE_FIGURES_MS, jobs.queues);
  return [
    {
      name: 'jobs',
      help: 'Jobs by queue and state (ready, delayed, active, dead) of the whole installation; at most 10,000 waiting of a queue are counted',
      scope: 'installation',
      group: GROUP,
      labels: ['queue', 'state'],
      read: async () =>
        (await queues()).flatMap(({ queue, ready, delayed, active }): Sample[] => {
          const owner = ownerOfDeadLetters(queue);
          if (owner !== undefined) return [{ labels: { queue: owner, state: 'dead' }, value: ready }];
          const states = { ready, delayed, active };
          return Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value }));
        }),
      alerts: [
        {
          name: 'DeadJobs',
          query: 'sum by (queue) (jobs{state="dead"})',
          condition: '> 0',
          minutes: 5,
          severity: 'ticket',
          means:
            'Jobs failed all their attempts. What they should have done has not happened, and does not happen by itself.',
          steps: [
            'List them in the console or at `GET /v1/admin/jobs`: each has its last error.',
            'Remove the cause, then retry them. Delete those that are pointless. They are kept for 30 days.',
          ],
        },
      ],
    },
    {
      name: 'jobs_oldest_seconds',
      help: 'How long the oldest ready job of a queue has waited, of the whole installation',
      scope: 'installation',
      group: GROUP,
      labels: ['queue'],
      read: async () =>
        (await queues())
          .filter(({ queue }) => ownerOfDeadLetters(queue) === undefined)
          .map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
      alerts: [
        {
          name: 'JobsWait',
          query: `max by (queue) (jobs_oldest_seconds{queue!~"${PATIENT}"})`,
          condition: '> 300',
          minutes: 5,
          severity: 'page',
          means:
            'Jobs of a queue wait for more than five minutes: notifications, mails or payouts come late.',
          steps: [
            'Is there a worker that takes this queue? Compare `WORKER_QUEUES` of all workers; start one if none runs.',
            'If workers are busy (`process_cpu_seconds_total`), start more.',
            'If jobs of this queue fail, the log says why: `job attempt failed`.',
          ],
        },
        {
          name: 'LongJobsWait',
          query: `max by (queue) (jobs_oldest_seconds{queue=~"${PATIENT}"})`,
          condition: '> 3600',
          minutes: 5,
          severity: 'ticket',
          means: 'Videos or exports of members have waited for more than an hour for their turn.',
          steps: [
            'Do workers run that take this queue (`WORKER_QUEUES`)? Videos need ffmpeg; the log says why a video waits: `video processing is postponed`.',
            'If they are busy, start more transcoders, or raise `TRANSCODE_CONCURRENCY` where there are cores.',
          ],
        },
      ],
    },
  ];
}

const attemptMetric = (jobs: Pick<JobQueue, 'settled'>): Metric => ({
  name: 'jobs_done_total',
  help: 'Finished attempts of jobs of this process, by queue and result (completed, failed)',
  scope: 'process',
  group: GROUP,
  labels: ['queue', 'result'],
  read: () =>
    [...jobs.settled()].flatMap(([queue, results]) =>
      Object.entries(results).map(([result, value]) => ({ labels: { queue, result }, value })),
    ),
  alerts: [
    {
      name: 'JobsFail',
      query: 'sum by (queue) (increase(jobs_done_total{result="failed"}[30m]))',
      condition: '> 50',
      minutes: 10,
      severity: 'ticket',
      means:
        'Attempts of jobs of a queue keep failing. They are tried again for a while and become dead jobs after that.',
      steps: [
        'The log says why: search for `job attempt failed` with this queue.',
        'Usually an external system is away: look at `circuit_open`, and at the deliveries by channel and outcome.',
      ],
    },
  ],
});

function outboxMetrics(backbone: Pick<EventBackbone, 'lag'>): Metric[] {
  const lag = cachedFor(DATABASE_FIGURES_MS, backbone.lag);
  return [
    {
      name: 'outbox_events',
      help: 'Event writes not yet in the queues of their subscribers, up to 10,000, of the whole installation',
      scope: 'installation',
      group: GROUP,
      read: async () => (await lag()).rows,
    },
    {
      name: 'outbox_lag_seconds',
      help: 'Age of the oldest event write not yet in the queues of its subscribers, of the whole installation',
      scope: 'installation',
      group: GROUP,
      read: async () => (await lag()).oldestSeconds,
      alerts: [
        {
          name: 'EventsWait',
          query: 'max(outbox_lag_seconds)',
          condition: '> 60',
          minutes: 5,
          severity: 'page',
          means:
            'Events are not relayed: no notification, mail or webhook leaves, and searches and reports do not learn of changes. Nothing is lost.',
          steps: [
            'Does a worker run? The relay is part of every process with `ROLE=worker` or `all`.',
            'Its log says what fails: search for `the event relay`. A single event that fails is not the cause: it becomes a job of `kernel.relay-event`.',
          ],
        },
      ],
    },
  ];
}
