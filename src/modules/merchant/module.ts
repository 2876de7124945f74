import type { PaymentProvider } from '../../external/payment/port.ts';
import type { Core } from '../../kernel/core.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { operatorAlerts } from '../../kernel/records/alerts.ts';
import type { Module } from '../module.ts';
import { checkoutStore } from './checkouts.store.ts';
import { checkoutRules } from './checkouts.ts';
import type { Merchant } from './contract.ts';
import { merchantRecords } from './member-records.store.ts';
import { checkoutLookUp } from './merchant.administration.ts';
import { merchantMeasures } from './merchant.measures.ts';
import { merchantInternalEvents, merchantPublicEvents } from './merchant.public-events.ts';
import { payoutStore } from './payouts.store.ts';
import { payoutRules, submitPayout } from './payouts.ts';
import { reconciling } from './reconciling.ts';
import { reversalStates } from './reversal-states.ts';
import { reversalRules } from './reversals.ts';
import { webhookOperations } from './webhooks.operations.ts';
import { webhookRules } from './webhooks.ts';

interface MerchantDeps
  extends Pick<Core, 'database' | 'jobs' | 'events' | 'audit' | 'clock' | 'newId' | 'log'> {
  /** Undefined when none is configured: checkouts are rejected, and payouts wait for an operator. */
  provider: PaymentProvider | undefined;
  /** Default return URLs for payers. */
  returnUrls: { success: string; cancel: string };
}

/** Merchant: checkouts and payouts through the payment provider. Owns the database schema `merchant`. */
export function merchantModule(deps: MerchantDeps): Module<Merchant> {
  const { database, provider } = deps;
  const alertOperators = operatorAlerts({ ...deps, actor: 'service:payments' });
  const parts = { ...deps, alertOperators };
  const checkoutsStore = checkoutStore(database);
  const payoutsStore = payoutStore(database);
  const checkouts = checkoutRules({ ...parts, store: checkoutsStore });
  const states = reversalStates({ ...parts, store: checkoutsStore });
  const reversals = reversalRules({ ...parts, store: checkoutsStore, checkouts, states });
  const payouts = payoutRules({ ...parts, store: payoutsStore });

  const webhooks = webhookRules({ ...deps, checkouts, reversals, payouts });
  const reconcileCheckouts = reconciling({ ...deps, ...checkouts, store: checkoutsStore.due });
  const reconcilePayouts = reconciling({ ...deps, ...payouts, store: payoutsStore.due });

  const reconcile = job(jobKind('merchant.reconcile'), {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: async () => {
      if (!provider) return;
      await reconcileCheckouts();
      await reconcilePayouts();
    },
  });

  return {
    name: 'merchant',
    memberRecords: merchantRecords,
    publicEvents: merchantPublicEvents,
    internalEvents: merchantInternalEvents,
    measures: merchantMeasures,
    lookUps: [checkoutLookUp(checkoutsStore)],
    service: {
      openCheckout: checkouts.open,
      requestPayout: payouts.request,
      decidePayout: payouts.decide,
      payments: {
        payoutsOf: payoutsStore.factsOf,
        payoutReferencesOf: payoutsStore.referencesOf,
        checkoutsOf: checkoutsStore.factsOf,
        pageOf: checkoutsStore.pageOf,
        checkout: checkouts.factsOf,
        reconcileCheckout: checkouts.reconcile,
        retryPayout: payouts.retry,
        replay: webhooks.replay,
      },
      maxPayoutCents: provider?.maxPayoutCents ?? Number.MAX_SAFE_INTEGER,
    },
    operations: webhookOperations(webhooks),
    jobs: [reconcile, job(submitPayout, { run: ({ payoutId }) => payouts.submit(payoutId) })],
  };
}
