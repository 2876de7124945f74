import type { ChartingPlatform } from '../../external/charting/port.ts';
import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { operatorAlerts } from '../../kernel/records/alerts.ts';
import { retention } from '../../kernel/records/retention.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { accessOperations } from './access/access.operations.ts';
import { accessStore } from './access/access.store.ts';
import { changing } from './access/changing.ts';
import { conclusionRules } from './access/conclusions.ts';
import { decisions } from './access/deciding.ts';
import { entryStore } from './access/entries.store.ts';
import { grantRules } from './access/grants.ts';
import { interventionRules } from './access/interventions.ts';
import { observationRules } from './access/observations.ts';
import { grantReconciliation } from './access/reconciliation.ts';
import { rosterStore } from './access/roster.store.ts';
import { rosters } from './access/roster.ts';
import { settlingRules } from './access/settling.ts';
import { accountStore } from './account/account.store.ts';
import { accountRules } from './account/account.ts';
import { catalogueOperations } from './catalogue/catalogue.operations.ts';
import { catalogueStore } from './catalogue/catalogue.store.ts';
import { catalogueRules } from './catalogue/catalogue.ts';
import { comparisonOperations } from './comparison/comparison.operations.ts';
import { comparisonStore } from './comparison/comparison.store.ts';
import { comparisons } from './comparison/comparison.ts';
import { findingStore } from './comparison/findings.store.ts';
import { findingRules } from './comparison/findings.ts';
import { listings } from './comparison/listing.ts';
import type { Indicators } from './contract.ts';
import { handleRules } from './handles/handles.ts';
import { holderStore } from './handles/holders.store.ts';
import { spellingStore } from './handles/spellings.store.ts';
import { indicatorAdministration } from './indicators.administration.ts';
import { indicatorNotices } from './indicators.notices.ts';
import { indicatorInternalEvents, indicatorPublicEvents } from './indicators.public-events.ts';
import { indicatorSearchable } from './indicators.searchable.ts';
import { indicatorRecords } from './member-records.store.ts';
import type { IndicatorSettings } from './settings.ts';
import { accessWebhook } from './webhooks/access-webhook.ts';
import { activityWebhook } from './webhooks/activity-webhook.ts';
import { receiving } from './webhooks/receiving.ts';
import { webhookEventStore } from './webhooks/webhook-events.store.ts';
import { webhookOperations } from './webhooks/webhooks.operations.ts';

interface IndicatorDeps
  extends Pick<Core, 'database' | 'jobs' | 'events' | 'audit' | 'cache' | 'clock' | 'newId' | 'log'> {
  identity: Pick<Identity, 'contactsOf' | 'contactByEmail' | 'contactByCustomerId'>;
  /** Undefined if not configured: grants wait for an operator. */
  charting: ChartingPlatform | undefined;
  settings: IndicatorSettings & {
    /** Timeout of a call to the charting platform. */
    timeoutSeconds: number;
  };
}

/** Lease of a call, in multiples of its timeout: longer than an abandoned call can still take effect. */
const LEASE_FACTOR = 3;
const KEEP_ANSWERS_DAYS = 30;

/** Indicators: the catalogue, and members' access at the charting platform. Owns the database schema `indicators`. */
export function indicatorModule({ settings, ...deps }: IndicatorDeps): Module<Indicators> {
  const { database, charting } = deps;
  const alertOperators = operatorAlerts({ ...deps, actor: 'service:indicators' });
  const store = accessStore(database);
  const holders = holderStore();
  const [entries, spellings] = [entryStore, spellingStore];
  const catalogueTable = catalogueStore(database);
  const retryMs = settings.retrySeconds * SECOND_MS;
  const timeoutMs = settings.timeoutSeconds * SECOND_MS;
  const account = accountRules({
    ...deps,
    store: accountStore(database),
    alertOperators,
    settings: { ...settings, retryMs, timeoutMs },
  });
  const settling = settlingRules({
    ...deps,
    store,
    holders,
    observations: observationRules({ store, entries, spellings }),
    conclusions: conclusionRules({ settings: { ...settings, retryMs } }),
    alertOperators,
  });
  const hasPlatform = charting !== undefined;
  const leaseMs = LEASE_FACTOR * timeoutMs;
  const worker = grantReconciliation({
    ...deps,
    store,
    account,
    decisions: decisions({ store, spellings, entries, settling, settings: { leaseMs, hasPlatform } }),
    settling,
    settings: { concurrency: settings.concurrency, hasPlatform, timeoutMs },
  });
  const catalogue = catalogueRules({ ...deps, store: catalogueTable });
  const ofGrants = { ...deps, store, catalogue: catalogueTable, holders };
  const changes = changing({ ...ofGrants, settling });
  const grants = grantRules({ ...ofGrants, changes });
  const interventions = interventionRules({ ...deps, changes, entries, account });
  const handles = handleRules({
    ...deps,
    spellings,
    account,
    settings: { hasPlatform },
  });
  const rosterTable = rosterStore(database);
  const roster = rosters({ ...deps, store: rosterTable });
  const comparison = comparisons({
    ...deps,
    store: comparisonStore(database),
    access: store,
    entries,
    listings: listings(account),
    findings: findingRules({ ...deps, store: findingStore, alertOperators }),
    alertOperators,
    settings: { hasPlatform },
  });
  const webhooks = {
    ...ofGrants,
    changes,
    settings,
    receiving: receiving({ ...ofGrants, webhookEvents: webhookEventStore }),
  };
  const forget = retention(deps, {
    name: 'indicators.forget',
    cron: '23 3 * * *',
    tables: [
      {
        table: 'indicators.webhook_event',
        key: 'kind, event_id',
        since: 'created_at',
        days: KEEP_ANSWERS_DAYS,
      },
      { table: 'indicators.spelling', key: 'handle_key', since: 'known_at', days: 1 },
    ],
  });

  return {
    name: 'indicators',
    memberRecords: indicatorRecords,
    publicEvents: indicatorPublicEvents,
    internalEvents: indicatorInternalEvents,
    sections: {
      Indicators: 'The catalogue of indicators on the charting platform.',
      'Indicator access': 'Who may use an indicator, and how their access is granted, repaired and compared.',
    },
    searchable: indicatorSearchable(catalogueTable),
    service: {
      refer: catalogue.refer,
      grantRequested: grants.grantRequested,
      withdrawRequested: grants.withdrawRequested,
      rememberHandle: (tx, userId, handle) => holders.save(tx, userId, 'request_handle', handle),
      attempt: worker.attempt,
      attemptAll: worker.attemptAll,
    },
    operations: [
      ...accessOperations({ ...deps, catalogue, grants, interventions, handles, roster }),
      ...comparisonOperations({
        comparison,
        account,
        roster: rosterTable,
        isConfigured: hasPlatform,
      }),
      ...catalogueOperations(catalogue),
      ...webhookOperations({
        accessWebhook: accessWebhook(webhooks),
        activityWebhook: activityWebhook(webhooks),
      }),
    ],
    ...indicatorAdministration(rosterTable, roster, deps),
    notices: indicatorNotices(catalogueTable),
    jobs: [...worker.jobs, comparison.nightly, forget],
    subscriptions: [
      on(userDeleted, 'indicators', async ({ data: { userId } }, tx) => {
        await grants.erase(tx, userId);
        await webhookEventStore.eraseOf(tx, userId);
      }),
    ],
  };
}
