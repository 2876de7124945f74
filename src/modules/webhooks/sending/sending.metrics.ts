import { type LabelledCount, labelledCount } from '../../../kernel/metric.ts';

/** Counts attempts to deliver events to webhook endpoints. */
export const attemptCounts = (): LabelledCount =>
  labelledCount({
    name: 'webhook_attempts_total',
    help: 'Attempts of this process to deliver to webhook endpoints, by outcome: delivered, retried (it is tried again), failed for good',
    group: 'External systems',
    label: 'outcome',
    values: ['delivered', 'retried', 'failed'],
    alerts: [
      {
        name: 'WebhooksFail',
        query:
          'sum(increase(webhook_attempts_total{outcome=~"retried|failed"}[30m])) / (sum(increase(webhook_attempts_total[30m])) > 0 or vector(1))',
        condition: '> 0.8',
        minutes: 30,
        severity: 'ticket',
        means: 'Nearly no delivery to webhook endpoints succeeds. Each is tried again for about two days.',
        steps: [
          'In the console, under webhooks, each endpoint has its last error. One endpoint: tell its owner. All: look at the network and its outgoing rules.',
        ],
      },
    ],
  });
