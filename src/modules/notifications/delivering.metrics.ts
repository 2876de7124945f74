import type { Metric, Sample } from '../../kernel/metric.ts';
import type { Channel } from './contract.ts';
import { CHANNELS } from './contract.ts';

/** Outcomes that are known from the beginning, so that the first occurrence is seen as an increase. */
const OUTCOMES = ['sent', 'failed', 'retried'];

/** Counts attempts to deliver notifications, by channel and outcome. */
export function deliveryCounts() {
  const counts = new Map<string, Sample>();
  const add = (channel: string, outcome: string, count = 1): void => {
    const key = `${channel} ${outcome}`;
    const known = counts.get(key) ?? { labels: { channel, outcome }, value: 0 };
    counts.set(key, known);
    known.value += count;
  };
  for (const channel of CHANNELS) for (const outcome of OUTCOMES) add(channel, outcome, 0);
  const metric: Metric = {
    name: 'notification_deliveries_total',
    help: 'Attempts of this process to deliver notifications, by channel and outcome: sent, retried (it is tried again), failed for good, suppressed, unavailable (no address or no service)',
    scope: 'process',
    group: 'External systems',
    labels: ['channel', 'outcome'],
    read: () => [...counts.values()],
    alerts: [
      {
        name: 'DeliveriesFail',
        query:
          'sum by (channel) (increase(notification_deliveries_total{outcome=~"failed|retried"}[15m])) / (sum by (channel) (increase(notification_deliveries_total{outcome=~"sent|failed|retried"}[15m])) > 0 or sum by (channel) (increase(notification_deliveries_total{outcome="sent"}[15m])) + 1)',
        condition: '> 0.5',
        minutes: 15,
        severity: 'ticket',
        means:
          'Most notifications cannot be delivered on a channel: the mail server or the push service is away, or refuses us. They are tried again for some minutes and are `failed` then.',
        steps: [
          "In the console a member's deliveries have the response of the server; the log has `job attempt failed` with the reason.",
          'Restore it or its credentials, then send again what failed: `POST /v1/notifications/deliveries/replay`.',
        ],
      },
    ],
  };
  return { add: (channel: Channel, outcome: string): void => add(channel, outcome), metric };
}
