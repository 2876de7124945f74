import type { MetricAlert, MetricDescription } from '../../src/kernel/metric.ts';

/** Where the runbooks are, for those who read an alert. */
const RUNBOOKS = 'docs/runbooks.md';

export const alertsOf = (metrics: readonly MetricDescription[]): MetricAlert[] =>
  metrics.flatMap(({ alerts = [] }) => alerts);

/** Returns the expression that has series while the alert holds. */
export const expressionOf = ({ query, condition }: MetricAlert): string => `(${query}) ${condition}`;

/** Returns the file of rules for Prometheus. */
export const alertRules = (metrics: readonly MetricDescription[]) => ({
  groups: [
    {
      name: 'platform',
      rules: alertsOf(metrics).map((alert) => ({
        alert: alert.name,
        expr: expressionOf(alert),
        ...(alert.minutes > 0 && { for: `${alert.minutes}m` }),
        labels: { severity: alert.severity },
        annotations: {
          summary: alert.means,
          value: '{{ $value }}',
          runbook: `${RUNBOOKS}#${alert.name.toLowerCase()}`,
        },
      })),
    },
  ],
});
