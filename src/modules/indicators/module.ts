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
import { carryingOut } from './access/carrying-out.ts';
import { decisions } from './access/deciding.ts';
import { grantRules } from './access/grants.ts';
import { interventionRules } from './access/interventions.ts';
import { learningRules } from './access/learning.ts';
import { settlingRules } from './access/settling.ts';
import { accountStore } from './account/account.store.ts';
import { accountRules } from './account/account.ts';
import { catalogueOperations } from './catalogue/catalogue.operations.ts';
import { catalogueStore } from './catalogue/catalogue.store.ts';
import { catalogueRules } from './catalogue/catalogue.ts';
import { comparisonOperations } from './comparison/comparison.operations.ts';
import { comparisonStore } from './comparison/comparison.store.ts';
import { comparisons } from './comparison/comparison.ts';
import { rosterStore } from './comparison/roster.store.ts';
import { rosters } from './comparison/roster.ts';
import type { Indicators } from './contract.ts';
import { handleRules } from './handles/handles.ts';
import { holderStore } from './handles/holders.store.ts';
import { indicatorNotices } from './indicators.notices.ts';
import { indicatorSearchable } from './indicators.searchable.ts';
import type { IndicatorSettings } from './settings.ts';
import { webhookOperations } from './webhooks/webhooks.operations.ts';
import { webhookRules } from './webhooks/webhooks.ts';

interface IndicatorDeps
  extends Pick<Core, 'database' | 'jobs' | 'events' | 'audit' | 'cache' | 'clock' | 'newId' | 'log'> {
  identity: Pick<Identity, 'contactsOf' | 'contactByEmail' | 'contactByCustomerId'>;
  /** Undefined if not configured: grants wait for an operator. */
  charting: ChartingPlatform | undefined;
  settings: IndicatorSettings & {
    /** Of a call to the charting platform. */
    timeoutSeconds: number;
  };
}

/** Longer than an abandoned call can still take effect. */
const LEASE_FACTOR = 3;
const KEEP_ANSWERS_DAYS = 30;

/** Indicators: the catalogue, and members' access at the charting platform. Owns the database schema `indicators`. */
export function indicatorModule({ settings, ...deps }: IndicatorDeps): Module<Indicators> {
  const { database, charting } = deps;
  const tellOperators = operatorAlerts({ ...deps, actor: 'service:indicators' });
  const store = accessStore(database);
  const holders = holderStore();
  const catalogueTable = catalogueStore(database);
  const retryMs = settings.retrySeconds * SECOND_MS;
  const account = accountRules({
    ...deps,
    store: accountStore(database),
    tellOperators,
    settings: { ...settings, retryMs },
  });
  const settling = settlingRules({
    ...deps,
    store,
    holders,
    learning: learningRules({ store }),
    tellOperators,
    settings: { ...settings, retryMs },
  });
  const hasPlatform = charting !== undefined;
  const leaseMs = LEASE_FACTOR * settings.timeoutSeconds * SECOND_MS;
  const worker = carryingOut({
    ...deps,
    store,
    account,
    decisions: decisions({ store, settling, settings: { leaseMs, hasPlatform } }),
    settling,
    settings: { concurrency: settings.concurrency, hasPlatform },
  });
  const catalogue = catalogueRules({ ...deps, store: catalogueTable, access: store });
  const grants = grantRules({ ...deps, store, catalogue: catalogueTable, holders, settling });
  const interventions = interventionRules({ ...deps, grants, store, account });
  const handles = handleRules({
    ...deps,
    store,
    account,
    settings: { hasPlatform },
  });
  const rosterTable = rosterStore(database);
  const roster = rosters({ ...deps, store: rosterTable });
  const comparison = comparisons({
    ...deps,
    store: comparisonStore(database),
    access: store,
    account,
    tellOperators,
    settings: { hasPlatform },
  });
  const webhooks = webhookRules({ ...deps, grants, store, holders, catalogue: catalogueTable, settings });
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
    searchable: indicatorSearchable(catalogueTable),
    service: {
      refer: catalogue.refer,
      grantRequested: grants.grantRequested,
      withdrawRequested: grants.withdrawRequested,
      rememberHandle: (tx, userId, handle) => holders.save(tx, userId, 'request_handle', handle),
      attempt: worker.attempt,
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
      ...webhookOperations(webhooks),
    ],
    notices: indicatorNotices,
    jobs: [...worker.jobs, comparison.nightly, forget],
    subscriptions: [on(userDeleted, 'indicators', ({ data: { userId } }, tx) => grants.erase(tx, userId))],
  };
}
