import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { isGone, isSuccess } from './attempts.ts';
import type { Received } from './posting.ts';
import type { SendingStore, Target } from './sending.store.ts';

const GIVE_UP_MS = 5 * DAY_MS;

export interface VerdictDeps extends Pick<Core, 'clock'> {
  store: SendingStore;
  alertOperators: AlertOperators;
}

/** Returns the function that disables an endpoint for a reason and alerts operators. */
export const endpointDisabling =
  ({ store, alertOperators }: Pick<VerdictDeps, 'store' | 'alertOperators'>) =>
  async (tx: Transaction, { id, url }: Target, reason: string): Promise<void> => {
    if (!(await store.disable(tx, id, reason))) return;
    await alertOperators(tx, { action: 'webhook.endpoint-disabled', target: id, details: { url, reason } });
  };

/**
 * Returns the function that evaluates the responses of an endpoint, and disables one that answers 410 or fails for
 * days.
 */
export const endpointVerdict = ({ store, clock, alertOperators }: VerdictDeps) => {
  const disable = endpointDisabling({ store, alertOperators });
  return async (tx: Transaction, target: Target, received: Received[]): Promise<void> => {
    const { id } = target;
    const last = received.at(-1);
    if (!last) return;
    const now = clock.date();
    if (received.some(isSuccess)) await store.succeeded(tx, id, now);
    const since = isSuccess(last) ? undefined : await store.failed(tx, id, now);
    const hasGivenUp = since !== undefined && now.getTime() - since.getTime() >= GIVE_UP_MS;
    if (!hasGivenUp && !received.some(isGone)) return;
    const reason = hasGivenUp ? 'No delivery has succeeded for five days' : 'The endpoint answered 410 Gone';
    await disable(tx, target, reason);
  };
};
