import type { Core } from '../../../kernel/core.ts';
import { type Job, job, jobKind } from '../../../kernel/messaging/jobs.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { KEPT_DAYS } from '../events/events.model.ts';
import type { EndpointStore } from './endpoints.store.ts';

/** How many days before the deletion of pending deliveries operators are alerted, and after how many days again. */
const WARNED_DAYS = 7;

interface ExpiryDeps extends Pick<Core, 'clock'> {
  store: EndpointStore;
  alertOperators: AlertOperators;
}

/**
 * Returns the job that alerts operators to endpoints whose waiting deliveries will soon be deleted with their events.
 */
export const expiryWarnings = ({ store, clock, alertOperators }: ExpiryDeps): Job =>
  job(jobKind('webhooks.warn-of-expiry'), {
    cron: '13 3 * * *',
    runIn: async (tx) => {
      const at = clock.date();
      const before = (days: number): Date => new Date(at.getTime() - days * DAY_MS);
      const warned = await store.warn(tx, {
        at,
        warnedBefore: before(WARNED_DAYS),
        waitingSince: before(KEPT_DAYS - WARNED_DAYS),
      });
      for (const { id, url } of warned)
        await alertOperators(tx, {
          action: 'webhook.deliveries-expiring',
          target: id,
          details: { url, reason: `Pending deliveries will be deleted within ${WARNED_DAYS} days` },
        });
    },
  });
