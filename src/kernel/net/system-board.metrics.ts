import { type HistogramMetric, histogram } from '../metric.ts';

/** How long external systems took to answer this process. */
export const callDurations = (): HistogramMetric =>
  histogram({
    name: 'external_call_duration_seconds',
    help: 'Duration of calls of this process to external systems (payments, mail, storage and so on), by system and result: answered, also with a refusal, or failed',
    group: 'External systems',
    labels: ['system', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    alerts: [
      {
        name: 'ExternalCallsFail',
        query:
          'sum by (system) (rate(external_call_duration_seconds_count{result="failed"}[15m])) / (sum by (system) (rate(external_call_duration_seconds_count[15m])) > 0) or vector(0)',
        condition: '> 0.5',
        minutes: 15,
        severity: 'ticket',
        means:
          'More than half of the calls to an external system fail. What depends on it is tried again, waits, or is refused: see "When a system is unavailable" in operations.md.',
        steps: [
          "The last error of each system is at `GET /v1/admin/health` and on the console's page of the installation.",
          'Look at the status page of its provider, at the quota and the credentials there, and at how long answers take (`external_call_duration_seconds`).',
        ],
      },
    ],
  });
