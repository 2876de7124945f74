import type { Backlog } from '../../../kernel/database/backlog.ts';
import type { Metric } from '../../../kernel/metric.ts';

/** How many alerts wait for a person. */
export const alertMetric = (backlog: () => Promise<Backlog>): Metric => ({
  name: 'operator_alerts_open',
  help: 'Alerts of the installation that no administrator has closed, at most 10,000; listed by GET /v1/admin/alerts',
  scope: 'installation',
  group: 'Money',
  read: async () => (await backlog()).count,
  alerts: [
    {
      name: 'OperatorAlertOpen',
      query: 'max(operator_alerts_open)',
      condition: '> 0',
      minutes: 5,
      severity: 'ticket',
      means:
        'Something about money needs a person, such as a disputed payment, or a withdrawal that was paid although it had failed.',
      steps: [
        'Open Money, Alerts in the console: each says what happened and what to do. Close it once it is done.',
        'Without the console: `GET /v1/admin/alerts?status=open`.',
      ],
    },
  ],
});
