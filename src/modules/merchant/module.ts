import type { Logger } from 'pino';
import type { PaymentProvider } from '../../external/payment/port.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Module } from '../contract.ts';
import { checkoutStore } from './checkouts.store.ts';
import { checkoutRules } from './checkouts.ts';
import type { Merchant } from './contract.ts';
import { payoutStore } from './payouts.store.ts';
import { payoutRules, SUBMIT_PAYOUT } from './payouts.ts';
import { webhookOperations } from './webhooks.operations.ts';
import { webhookRules } from './webhooks.ts';

interface MerchantNeeds {
  database: Database;
  jobs: Jobs;
  events: Events;
  clock: Clock;
  newId: NewId;
  log: Logger;
  /** Undefined where none is set up: checkouts are refused, payouts wait for an operator. */
  provider: PaymentProvider | undefined;
  /** Where payers return to when the order does not say. */
  returnUrls: { success: string; cancel: string };
}

const RECONCILE_AT_ONCE = 20;

/** Merchant: checkouts and payouts through the payment provider. Owns the database schema `merchant`. */
export function merchantModule(needs: MerchantNeeds): Module<Merchant> {
  const { database, log, provider } = needs;
  const onMismatch = (facts: object) => log.error(facts, 'a checkout was paid with another amount');
  const checkouts = checkoutRules({ ...needs, store: checkoutStore(database), onMismatch });
  const payouts = payoutRules({ ...needs, store: payoutStore(database) });

  /** Until nothing is due; a provider that can't be reached ends it, and the next minute tries again. */
  const reconcile: Job = {
    name: 'merchant.reconcile',
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: async () => {
      while ((await checkouts.reconcile(RECONCILE_AT_ONCE)) > 0);
      while ((await payouts.reconcile(RECONCILE_AT_ONCE)) > 0);
    },
  };

  return {
    name: 'merchant',
    service: {
      openCheckout: checkouts.open,
      requestPayout: payouts.request,
      decidePayout: payouts.decide,
    },
    operations: webhookOperations(webhookRules({ provider, checkouts, payouts })),
    jobs: [
      reconcile,
      { name: SUBMIT_PAYOUT, run: ({ payoutId }: { payoutId: ObjectId }) => payouts.submit(payoutId) },
    ],
  };
}
