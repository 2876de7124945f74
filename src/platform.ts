import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { backofficeDirectory } from './external/directory/backoffice.ts';
import { smtpMailer } from './external/mail/smtp.ts';
import { stripePayments } from './external/payment/stripe.ts';
import { streamedPrices } from './external/prices/stream.ts';
import { fcmPush, type ServiceAccount } from './external/push/fcm.ts';
import {
  areKeysOfABrowser,
  isPushEndpoint,
  PUSH_SERVICES,
  vapidKeysOf,
  webPush,
} from './external/push/web-push.ts';
import { httpSchedule } from './external/schedule/http.ts';
import { createGateway, type Gateway, gatewayMigrations } from './gateway/index.ts';
import { type Audit, auditLog } from './kernel/audit.ts';
import { type Database, openDatabase } from './kernel/database/database.ts';
import { type MigrationSet, migrate } from './kernel/database/migrations.ts';
import { type Events, eventBackbone, subscriptionJobs } from './kernel/events.ts';
import { idMaker, type NewId } from './kernel/ids.ts';
import { installJobQueue, type Jobs, startJobs } from './kernel/jobs.ts';
import { type Live, livePublisher } from './kernel/live.ts';
import type { Module } from './kernel/module.ts';
import { inProcessBus, inProcessCache } from './kernel/shared/in-process.ts';
import { redisBus, redisCache } from './kernel/shared/redis.ts';
import { resilientCache } from './kernel/shared/resilient.ts';
import type { Bus, Cache } from './kernel/shared/shared.ts';
import { type Clock, systemClock } from './kernel/time.ts';
import { chatModule } from './modules/chat/index.ts';
import { communityModule } from './modules/community/index.ts';
import { educatorModule } from './modules/educators/index.ts';
import { type Identity, identityModule } from './modules/identity/index.ts';
import { livestreamModule } from './modules/livestreams/index.ts';
import { mailModule } from './modules/mail/index.ts';
import { merchantModule } from './modules/merchant/index.ts';
import { notificationModule } from './modules/notifications/index.ts';
import { presenceModule } from './modules/presence/index.ts';
import { type Realtime, realtimeModule } from './modules/realtime/index.ts';
import { tradeModule } from './modules/trades/index.ts';
import { type Wallet, walletModule } from './modules/wallet/index.ts';

/** The configuration with everything known that a platform needs to run. */
export type PlatformConfig = Config & {
  databaseUrl: string;
  secretKey: string;
  /** Where the stand-ins of external systems are, in development. */
  sandboxUrl?: string;
  payments?: Payments | undefined;
  pushes?: Pushes | undefined;
};

/** How to reach the push service. */
export interface Pushes {
  account: ServiceAccount;
  apiUrl: string;
}

/** How to reach the payment provider. */
export interface Payments {
  secretKey: string;
  webhookSecret: string;
  /** Another address than Stripe's own. */
  apiUrl?: string;
}

interface PlatformParts {
  config: PlatformConfig;
  log: Logger;
  clock?: Clock;
  /** Modules of somebody else's. */
  others?: Module[];
}

/**
 * The composition root: makes each part once and hands it to those who need it. Nothing runs yet: `listen` serves,
 * `work` does jobs, `close` ends both.
 */
export async function createPlatform({ config, log, clock = systemClock, others = [] }: PlatformParts) {
  const { environment, databaseUrl, redisUrl } = config;
  const newId = idMaker(clock);
  const warn = (what: string) => (error: Error) => log.warn({ error: error.message }, what);
  const database = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    onBackgroundError: warn('a database connection broke'),
  });
  const local = inProcessCache(clock);
  const cache = redisUrl ? resilientCache(await redisCache(redisUrl, warn('redis')), local) : local;
  const bus = redisUrl ? await redisBus(redisUrl, warn('redis')) : inProcessBus();
  const jobs = await startJobs({ database, url: databaseUrl, onError: warn('the job queue') });
  const backbone = eventBackbone({ database, clock, newId, jobs, onError: warn('the relay of events') });
  const audit = auditLog({ database, clock, newId });
  const live = livePublisher(bus);
  const shared = { database, jobs, cache, bus, live, audit, clock, newId, log, events: backbone.events };

  const gateway = createGateway({
    ...shared,
    settings: {
      environment,
      internalKey: config.internalApiKey,
      trustedProxies: config.trustedProxies ?? [],
      corsOrigins: config.corsOrigins ?? (environment === 'production' ? [] : undefined),
      publicUrl: config.publicUrl ?? '/',
    },
  });
  let listeningAt = '';
  const { identity, wallet, notifications, realtime, mailer, modules } = assemble(config, {
    ...shared,
    publicUrl: () => config.publicUrl ?? listeningAt,
  });
  modules.push(...others);
  tellOfLedger(gateway.metrics, wallet.door);
  tellOfLive(gateway.metrics, realtime.door, bus);
  const subscriptions = modules.flatMap((module) => module.subscriptions ?? []);
  const kinds = [
    ...gateway.jobs,
    ...modules.flatMap((module) => module.jobs ?? []),
    ...subscriptionJobs(subscriptions),
  ];
  const operations = [...gateway.operations, ...modules.flatMap((module) => module.operations ?? [])];
  await jobs.prepare(kinds);
  backbone.subscribe(subscriptions);

  let ready = false;
  const isReady = async (): Promise<boolean> =>
    ready &&
    (await database.ping().then(
      () => true,
      () => false,
    ));
  const missing = () => (bus.isWhole() ? [] : ['redis']);
  const server = gateway.serve({ operations, authenticate: identity.door.authenticate, isReady, missing });

  return {
    identity: identity.door as Identity,
    wallet: wallet.door,
    notifications: notifications.door,
    live,
    liveFigures: realtime.door.figures,
    keys: gateway.keys,
    operations,
    describe: () => gateway.describe(operations),
    /** Serves the API; answers its base URL. */
    async listen(): Promise<string> {
      realtime.door.attach(server.server);
      await server.listen({ host: config.host, port: config.port });
      ready = true;
      const { family, address, port } = server.server.address() as AddressInfo;
      listeningAt = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
      return listeningAt;
    },
    work: async (): Promise<void> => {
      await jobs.work(kinds);
      backbone.start();
    },
    /** Does a job of this kind now, as its schedule would. */
    runJob: async (name: string): Promise<void> => {
      const kind = kinds.find((one) => one.name === name);
      if (!kind) throw new Error(`there is no job ${name}`);
      await kind.run?.({});
      await database.transaction(async (tx) => kind.runIn?.(tx, {}));
    },
    /** Ends what is in flight and no more: requests, jobs, reports, connections, in that order. */
    async close(): Promise<void> {
      ready = false;
      await realtime.door.drain();
      // Connections whose last request was in flight turn idle only once it is answered.
      const sweeping = setInterval(() => server.server.closeIdleConnections(), 50);
      await server.close().finally(() => clearInterval(sweeping));
      await backbone.stop();
      await jobs.stop();
      await gateway.flush();
      mailer?.close();
      await Promise.all([cache.close(), bus.close(), database.close()]);
    },
  };
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

interface SharedParts {
  database: Database;
  jobs: Jobs;
  cache: Cache;
  bus: Bus;
  live: Live;
  audit: Audit;
  clock: Clock;
  newId: NewId;
  log: Logger;
  events: Events;
  publicUrl: () => string;
}

/** Makes the modules, each handed the doors and the external systems that it needs. */
function assemble(config: PlatformConfig, shared: SharedParts) {
  const { environment } = config;
  const { clock, log } = shared;
  const warn = (what: string) => (error: Error) => log.warn({ error: error.message }, what);
  const { backofficeUrl: baseUrl, backofficeApiKey: apiKey } = config;
  const identity = identityModule({
    ...shared,
    directory:
      config.customerDirectory === 'backoffice' && baseUrl && apiKey
        ? backofficeDirectory({ baseUrl, apiKey, clock })
        : undefined,
    settings: {
      environment,
      secretKey: config.secretKey,
      reuseLeewaySeconds: config.refreshReuseLeeway,
      refusesCommonPasswords:
        config.passwordBlocklist === 'on' ||
        (config.passwordBlocklist === 'auto' && environment === 'production'),
      livePlatformUrl: config.livePlatformUrl,
    },
  });
  const { payments, sandboxUrl = '' } = config;
  const merchant = merchantModule({
    ...shared,
    provider: payments && stripePayments({ ...payments, clock }),
    returnUrls: {
      success: config.checkoutSuccessUrl ?? `${sandboxUrl}/paid`,
      cancel: config.checkoutCancelUrl ?? `${sandboxUrl}/not-paid`,
    },
  });
  const wallet = walletModule({ ...shared, users: identity.door, merchant: merchant.door });
  const modules: Module[] = [identity, merchant, wallet];
  const mailer = config.smtpUrl ? smtpMailer({ url: config.smtpUrl, from: config.mailFrom }) : undefined;
  const notifications = notificationModule({
    ...shared,
    mailer,
    ...pushing(config, clock),
    contactsOf: identity.door.contactsOf,
    secretKey: config.secretKey,
  });
  modules.push(notifications);
  const presence = presenceModule({ ...shared, onError: warn('presence') });
  const chat = chatModule({ ...shared, ...identity.door, presence: presence.door });
  const realtime = realtimeModule({
    ...shared,
    ...{ chat: chat.door, identity: identity.door, presence: presence.door },
    openFeed:
      config.priceFeedUrl === undefined
        ? undefined
        : streamedPrices({
            url: config.priceFeedUrl,
            apiKey: config.priceFeedApiKey,
            onError: warn('the price feed'),
          }),
    settings: {
      mostConnections: config.liveConnections,
      origins: config.corsOrigins ?? (environment === 'production' ? [] : undefined),
      isProxied: (config.trustedProxies ?? []).length > 0,
    },
  });
  const { scheduleUrl, scheduleApiKey } = config;
  const livestreams = livestreamModule({
    ...shared,
    permissionsOf: identity.door.permissionsOf,
    upstream:
      scheduleUrl === undefined
        ? undefined
        : httpSchedule({ baseUrl: scheduleUrl, apiKey: scheduleApiKey, clock }),
    onError: warn('the schedule'),
  });
  modules.push(presence, chat, realtime, livestreams, communityModule(shared), tradeModule(shared));
  modules.push(
    educatorModule({ identity: identity.door, chat: chat.door, notifications: notifications.door }),
  );
  if (mailer) {
    const onRefused = (mail: object, error: Error) =>
      log.error({ ...mail, error: error.message }, 'a mail was refused');
    modules.push(mailModule({ mailer, identity: identity.door, onRefused }));
  }
  return { identity, wallet, notifications, realtime, mailer, modules };
}

/** Pushes to phones, if Firebase is set up, and to browsers. */
function pushing(config: PlatformConfig, clock: Clock) {
  const { pushes, sandboxUrl, mailFrom } = config;
  const keys = vapidKeysOf(config.secretKey);
  const services = [...(config.webPushServices ?? PUSH_SERVICES), ...(sandboxUrl ? [sandboxUrl] : [])];
  const subject = `mailto:${/<(.+)>/.exec(mailFrom)?.[1] ?? mailFrom}`;
  return {
    pushServices: {
      phones: pushes && fcmPush({ ...pushes, clock }),
      browsers: webPush({ keys, subject, services, clock }),
    },
    browserPush: {
      publicKey: keys.publicKey,
      isEndpoint: (endpoint: string) => isPushEndpoint(endpoint, services),
      areKeys: areKeysOfABrowser,
    },
  };
}

/** What `/metrics` says of the proofs of the ledger. */
function tellOfLedger(metrics: Gateway['metrics'], { lastVerification }: Wallet): void {
  metrics.gauge(
    'ledger_broken_invariants',
    'Invariants of the ledger that did not hold at its last verification; NaN before the first',
    async () => (await lastVerification())?.faults ?? Number.NaN,
  );
  metrics.gauge(
    'ledger_verified_timestamp_seconds',
    'When the ledger was last verified; NaN before',
    async () => ((await lastVerification())?.at.getTime() ?? Number.NaN) / 1000,
  );
}

/** What `/metrics` says of the live channel. */
function tellOfLive(metrics: Gateway['metrics'], { figures }: Realtime, bus: Bus): void {
  const told: [keyof ReturnType<Realtime['figures']>, string][] = [
    ['connections', 'WebSocket connections of this process'],
    ['channels', 'Channels that they are on'],
    ['frames', 'Messages delivered since the start'],
    ['writes', 'Writes that carried them'],
    ['slow', 'Connections dropped because they did not read'],
  ];
  for (const [name, help] of told) metrics.gauge(`live_${name}`, help, () => figures()[name]);
  metrics.gauge('live_bus_whole', 'Whether messages reach the other processes', () => Number(bus.isWhole()));
}

const MIGRATIONS: MigrationSet[] = [
  { module: 'kernel', folder: new URL('./kernel/migrations/', import.meta.url) },
  { module: 'gateway', folder: gatewayMigrations },
  { module: 'chat', folder: new URL('./modules/chat/migrations/', import.meta.url) },
  { module: 'community', folder: new URL('./modules/community/migrations/', import.meta.url) },
  { module: 'identity', folder: new URL('./modules/identity/migrations/', import.meta.url) },
  { module: 'livestreams', folder: new URL('./modules/livestreams/migrations/', import.meta.url) },
  { module: 'merchant', folder: new URL('./modules/merchant/migrations/', import.meta.url) },
  { module: 'notifications', folder: new URL('./modules/notifications/migrations/', import.meta.url) },
  { module: 'presence', folder: new URL('./modules/presence/migrations/', import.meta.url) },
  { module: 'trades', folder: new URL('./modules/trades/migrations/', import.meta.url) },
  { module: 'wallet', folder: new URL('./modules/wallet/migrations/', import.meta.url) },
];

/** Brings the database, the job queue's schema included, to the newest schema. */
export async function migratePlatform(url: string): Promise<string[]> {
  const applied = await migrate(url, MIGRATIONS);
  await installJobQueue(url);
  return applied;
}
