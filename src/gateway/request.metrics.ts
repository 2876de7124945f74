import type { DatabaseUse } from '../kernel/database-use.ts';
import {
  type AnyMetric,
  histogram,
  type Metric,
  type MetricDescription,
  type Sample,
  SECONDS,
} from '../kernel/metric.ts';

/** An answered request, its duration, and what it spent on the database. */
interface Answered {
  status: number;
  ms: number;
  use: DatabaseUse | undefined;
}

const GROUP = 'Requests' as const satisfies MetricDescription['group'];
const COMMON = { scope: 'process', group: GROUP } as const;

const durations = () =>
  histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time of this process, by operation and status',
    group: GROUP,
    labels: ['operation', 'status'],
    buckets: SECONDS,
    alerts: [
      {
        name: 'RequestsFail',
        query:
          '(sum(rate(http_request_duration_seconds_count{status=~"5.."}[5m]) or vector(0)) > 0.02 or vector(0)) / (sum(rate(http_request_duration_seconds_count[5m])) > 0 or vector(1))',
        condition: '> 0.01',
        minutes: 5,
        severity: 'page',
        means:
          'More than one in a hundred requests is answered with a fault of ours; a few at night, when there are hardly any requests, do not count.',
        steps: [
          'By status: 503 is an outage or overload (`DatabaseUnavailable`, `RequestsShed`); 500 is an error of the program.',
          'The log has each fault with its cause at level 50. `GET /v1/admin/errors` groups them.',
          'If it began with a roll-out (`platform_build_info`), undo that.',
        ],
      },
      {
        name: 'RequestsSlow',
        query:
          'histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket{operation!="other"}[5m])))',
        condition: '> 1',
        minutes: 10,
        severity: 'ticket',
        means: 'One request in a hundred takes longer than a second.',
        steps: [
          'Which operation? See the dashboard, or `ms` in the access log.',
          'Where does the time go? `dbMs` and `waitMs` there: slow statements, too few connections, or neither: then the process itself (`nodejs_eventloop_lag_p99_seconds`) or an external system.',
        ],
      },
    ],
  });

const databaseTimes = () =>
  histogram({
    name: 'http_request_database_seconds',
    help: 'Time in which a request of this process waited for answers of the database, by operation; requests that asked it',
    group: GROUP,
    labels: ['operation'],
    buckets: SECONDS,
  });

const connectionTimes = () =>
  histogram({
    name: 'http_request_connection_seconds',
    help: 'Time in which a request of this process waited for a database connection; requests that asked the database',
    group: GROUP,
    buckets: SECONDS,
  });

const queryCounts = () =>
  histogram({
    name: 'http_request_queries',
    help: 'Statements that a request of this process sent to the database, by operation; requests that asked it',
    group: GROUP,
    labels: ['operation'],
    buckets: [1, 2, 3, 5, 8, 13, 21, 34, 55, 100],
  });

/**
 * A counter of this process with labels.
 * @param initial labels that have a sample from the beginning
 */
function counts(
  description: Omit<MetricDescription, 'scope' | 'group'>,
  initial: Record<string, string>[] = [],
) {
  const keyOf = (labels: Record<string, string>): string => Object.values(labels).join('\n');
  const found = new Map<string, Sample>(initial.map((labels) => [keyOf(labels), { labels, value: 0 }]));
  const metric: Metric = { ...COMMON, ...description, read: () => [...found.values()] };
  return {
    metric,
    add: (labels: Record<string, string>): void => {
      const key = keyOf(labels);
      const known = found.get(key);
      if (known) known.value++;
      else found.set(key, { labels, value: 1 });
    },
  };
}

const refusalCounts = () =>
  counts({
    name: 'http_refusals_total',
    help: 'Requests that this process refused (4xx), by status and code of the failure',
    labels: ['status', 'code'],
    alerts: [
      {
        name: 'ManyUnauthenticated',
        query:
          'sum(rate(http_refusals_total{status="401"}[10m]) or vector(0)) / (sum(rate(http_request_duration_seconds_count[10m])) > 0 or vector(1))',
        condition: '> 0.3',
        minutes: 15,
        severity: 'ticket',
        means:
          'Nearly a third of all requests is refused as unauthenticated: an attack on passwords or tokens, a client that does not refresh, or a `SECRET_KEY` that was replaced.',
        steps: [
          'The `code` tells: wrong passwords (`AUTHENTICATION_FAILED`), missing or expired tokens, or unknown API keys.',
          'Search the access log for the `code`, the `keyId` and the `address`. Have the balancer refuse an attacker; revoke a leaked key.',
        ],
      },
      {
        name: 'ResetCodesGuessed',
        query: 'sum(increase(http_refusals_total{code="INVALID_RESET_CODE"}[1h]) or vector(0))',
        condition: '> 300',
        minutes: 5,
        severity: 'ticket',
        means:
          'Many more wrong codes for a new password are sent than members mistype. Five burn a code, and an address has a limit; who guesses for many accounts from many addresses hits one in time.',
        steps: [
          'Search the access log for `INVALID_RESET_CODE` by `keyId` and `address`. Have the balancer refuse what they share; revoke a leaked key.',
          'Ask the members whose password changed meanwhile (`email.password-changed` among the deliveries) whether it was them.',
        ],
      },
      {
        name: 'ManyRateLimited',
        query:
          'sum(rate(http_refusals_total{status="429"}[10m]) or vector(0)) / (sum(rate(http_request_duration_seconds_count[10m])) > 0 or vector(1))',
        condition: '> 0.1',
        minutes: 15,
        severity: 'ticket',
        means:
          'More than one in ten requests exceeds a limit: a flood, a client in a loop, or a balancer that is missing in `TRUSTED_PROXIES`, so that all members share one limit.',
        steps: [
          'Search the log for a warning that names `TRUSTED_PROXIES`.',
          'Search the access log for `status` 429 by `keyId` and `address`; `code` tells which limit it is.',
        ],
      },
    ],
  });

const shedCounts = () =>
  counts(
    {
      name: 'http_requests_shed_total',
      help: 'Requests that this process refused with 503 because it was busy, by operation',
      labels: ['operation'],
      alerts: [
        {
          name: 'RequestsShed',
          query: 'sum(rate(http_requests_shed_total[5m]) or vector(0))',
          condition: '> 1',
          minutes: 5,
          severity: 'page',
          means: 'Processes refuse requests because too many wait already.',
          steps: [
            'Start more processes. If the database is the limit (`http_request_database_seconds`), that does not help: look for slow statements.',
            'If single operations or callers cause it (labels, access log), it may be an attack.',
          ],
        },
      ],
    },
    [{ operation: 'other' }],
  );

/** What is counted of requests. */
export function requestMetrics() {
  const [duration, database, connecting, queries] = [
    durations(),
    databaseTimes(),
    connectionTimes(),
    queryCounts(),
  ];
  const refusals = refusalCounts();
  const shed = shedCounts();
  let inFlight = 0;
  const underWay: Metric = {
    ...COMMON,
    name: 'http_requests_in_flight',
    help: 'Requests that this process has begun to answer and not finished',
    read: () => inFlight,
  };
  return {
    all: [duration, underWay, database, connecting, queries, refusals.metric, shed.metric] as AnyMetric[],
    begun: (): void => {
      inFlight++;
    },
    ended: (): void => {
      inFlight--;
    },
    /** Counts a request that was answered. */
    observe: (operation: string, { status, ms, use }: Answered): void => {
      duration.observe(ms / 1000, operation, String(status));
      if (!use || use.queries === 0) return;
      database.observe(use.dbMs / 1000, operation);
      connecting.observe(use.waitMs / 1000);
      queries.observe(use.queries, operation);
    },
    /** Counts a request that was refused with 4xx. */
    refused: (status: number, code: string): void => refusals.add({ status: String(status), code }),
    shed: (operation: string): void => shed.add({ operation }),
  };
}
