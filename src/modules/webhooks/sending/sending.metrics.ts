import { cachedFor } from '../../../kernel/concurrency/cached-for.ts';
import { type LabelledCount, labelledCount, type Metric } from '../../../kernel/metric.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';
import type { SendingStore } from './sending.store.ts';

/** Minimum interval between database queries for metrics, however many scrapers there are. */
const DATABASE_FIGURES_MS = 10 * SECOND_MS;

/** Tells how long public events wait that are neither in the feed nor among the deliveries. */
export function waitingMetric(store: Pick<SendingStore, 'oldestWaiting'>, clock: Clock): Metric {
  const oldest = cachedFor(DATABASE_FIGURES_MS, store.oldestWaiting);
  return {
    name: 'webhook_events_waiting_seconds',
    help: 'Age of the oldest event that is not yet in the feed of events, or not among the deliveries to webhook endpoints, of the whole installation',
    scope: 'installation',
    group: 'External systems',
    read: async () => {
      const at = await oldest();
      return at === null ? 0 : Math.max(0, (clock.now() - at.getTime()) / SECOND_MS);
    },
    alerts: [
      {
        name: 'WebhookEventsWait',
        query: 'max(webhook_events_waiting_seconds)',
        condition: '> 300',
        minutes: 5,
        severity: 'page',
        means:
          'Other systems learn of nothing new: the feed of events has stopped, or webhook deliveries are not created. Nothing is lost.',
        steps: [
          'The log says why: search for `an event cannot be made public` and `webhooks could not be sent`.',
          'During a roll-out, the first one ends by itself once all workers run the new version. Otherwise it names the event: run a version that can read it.',
        ],
      },
    ],
  };
}

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
