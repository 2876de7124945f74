import type { Core } from '../../kernel/core.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { publicResolver } from '../../kernel/net/public-addresses.ts';
import { operatorAlerts } from '../../kernel/records/alerts.ts';
import { retention } from '../../kernel/records/retention.ts';
import { opener, type Secrets } from '../../kernel/secrets.ts';
import type { Module } from '../module.ts';
import { deliveryOperations } from './deliveries/deliveries.operations.ts';
import { deliveryStore } from './deliveries/deliveries.store.ts';
import { deliveryRules } from './deliveries/deliveries.ts';
import { addressCheck } from './endpoints/addresses.ts';
import { endpointOperations } from './endpoints/endpoints.operations.ts';
import { endpointStore } from './endpoints/endpoints.store.ts';
import { endpointNotFound, endpointRules } from './endpoints/endpoints.ts';
import { expiryWarnings } from './endpoints/expiry.ts';
import { catalogueOf, outgoingMessages } from './events/catalogue.ts';
import { eventLogStore } from './events/event-log.store.ts';
import { eventLog } from './events/event-log.ts';
import { KEPT_DAYS } from './events/events.model.ts';
import { feedOperations } from './events/feed.operations.ts';
import { feedRules } from './events/feed.ts';
import { fanOut } from './sending/fan-out.ts';
import { poster } from './sending/posting.ts';
import { pump } from './sending/pump.ts';
import { attemptCounts, waitingMetric } from './sending/sending.metrics.ts';
import { sendingStore } from './sending/sending.store.ts';

interface WebhookDeps
  extends Pick<Core, 'database' | 'clock' | 'log' | 'newId' | 'audit' | 'jobs' | 'load' | 'check'> {
  secrets: Secrets;
  isProduction: boolean;
  version: string;
  /** Whether this process sends deliveries. */
  works: boolean;
}

const FORGET_OLD = {
  name: 'webhooks.forget-old',
  cron: '23 3 * * *',
  tables: [
    { table: 'webhooks.delivery', key: 'endpoint, sequence', since: 'created_at', days: KEPT_DAYS },
    { table: 'webhooks.event', key: 'position', since: 'happened_at', days: KEPT_DAYS },
    { table: 'webhooks.former_types', key: 'endpoint, until', since: 'until', days: KEPT_DAYS },
  ],
};

/** Events for other systems: the event feed and outgoing webhooks. Owns the database schema `webhooks`. */
export function webhookModule(deps: WebhookDeps): Module<undefined> {
  const { database, secrets, isProduction, version, works } = deps;
  const events = eventLogStore(database);
  const endpointTable = endpointStore(database);
  const deliveryTable = deliveryStore(database);
  const sender = sendingStore(database);
  const sealer = secrets.sealer('webhooks.endpoint-secrets');
  const resolver = publicResolver({ allowsLoopback: !isProduction });
  const deliveries = deliveryRules({ ...deps, store: deliveryTable });
  const alertOperators = operatorAlerts({ ...deps, actor: 'service:webhooks' });
  const attempts = attemptCounts();
  const sending = pump({
    ...deps,
    onAttempt: (status) => attempts.add(status === 'pending' ? 'retried' : status),
    store: sender,
    open: opener(sealer, deps.log, 'secrets of webhook endpoints'),
    alertOperators,
    chance: Math.random,
    fanOut: fanOut({ database, store: sender }),
    newPoster: () =>
      poster({ resolver, userAgent: `platform-api/${version}`, nowMs: () => deps.clock.now() }),
  });
  return {
    name: 'webhooks',
    sealed: ['secret', 'previous_secret'].map((column) => ({
      table: 'webhooks.endpoint',
      key: 'id',
      column,
      sealer,
    })),
    sections: {
      Events: 'The events of the last 30 days, for other systems.',
      'Webhook endpoints': 'Where events are sent, and every delivery.',
    },
    service: undefined,
    metrics: [attempts, waitingMetric(sender, deps.clock)],
    worklists: [{ name: 'failingWebhooks', read: endpointTable.failing }],
    start: async () => {
      if (works) sending.start();
    },
    drain: sending.stop,
    collect: (modules) => {
      const catalogue = catalogueOf(modules);
      const types = catalogue.types.map(({ type }) => type);
      const log = eventLog({ ...deps, store: events, catalogue });
      const endpoints = endpointRules({
        ...deps,
        store: endpointTable,
        deliveries: deliveryTable,
        sealer,
        checkAddress: addressCheck(resolver, isProduction),
        types,
      });
      const readAgain = job(jobKind('webhooks.read-again'), {
        cron: '* * * * *',
        atStart: true,
        run: async () => void (await log.readAgain()),
      });
      return {
        operations: [
          ...feedOperations(feedRules({ ...deps, store: events, types }), types),
          ...endpointOperations(endpoints),
          ...deliveryOperations(deliveries, { types, find: endpoints.find, notFound: endpointNotFound }),
        ],
        subscriptions: log.subscriptions(),
        jobs: [
          readAgain,
          ...deliveries.jobs,
          expiryWarnings({ ...deps, store: endpointTable, alertOperators }),
          retention(deps, FORGET_OLD),
        ],
        outgoing: outgoingMessages(catalogue),
      };
    },
  };
}
