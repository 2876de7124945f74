import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { assemble, type PlatformConfig } from './assembly.ts';
import { monitoringPortOf } from './derived-settings.ts';
import { createGateway, type Gateway, gatewayMigrations } from './gateway/index.ts';
import { auditLog } from './kernel/audit.ts';
import { circuitBoard } from './kernel/circuit.ts';
import { openDatabase } from './kernel/database/database.ts';
import { type MigrationSet, migrate } from './kernel/database/migrations.ts';
import { eventBackbone, subscriptionJobs } from './kernel/events.ts';
import { fanOutLimit } from './kernel/fan-out.ts';
import { idMaker } from './kernel/ids.ts';
import { installJobQueue, startJobs } from './kernel/jobs.ts';
import { livePublisher } from './kernel/live.ts';
import type { Module } from './kernel/module.ts';
import { inProcessBus, inProcessCache } from './kernel/shared/in-process.ts';
import { redisBus, redisCache } from './kernel/shared/redis.ts';
import { resilientCache } from './kernel/shared/resilient.ts';
import type { Bus } from './kernel/shared/shared.ts';
import { type Clock, systemClock } from './kernel/time.ts';
import type { Identity } from './modules/identity/index.ts';
import type { Realtime } from './modules/realtime/index.ts';
import type { Wallet } from './modules/wallet/index.ts';
import { tellOfOperation } from './operational-metrics.ts';

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
  const jobs = await startJobs({
    database,
    url: databaseUrl,
    onError: warn('the job queue'),
    onFailed: (queue, attempt, error) =>
      log.warn({ queue, attempt, error: error.message }, 'an attempt at a job failed'),
  });
  const backbone = eventBackbone({ database, clock, newId, jobs, onError: warn('the relay of events') });
  const audit = auditLog({ database, clock, newId });
  const live = livePublisher(bus);
  const shared = { database, jobs, cache, bus, live, audit, clock, newId, log, events: backbone.events };
  const board = circuitBoard();

  const gateway = createGateway({
    ...shared,
    settings: {
      environment,
      internalKey: config.internalApiKey,
      trustedProxies: config.trustedProxies ?? [],
      corsOrigins: config.corsOrigins ?? (environment === 'production' ? [] : undefined),
      publicUrl: config.publicUrl ?? '/',
      logsAccess: config.accessLog === 'on',
      hasMetricsApart: monitoringPortOf(config) !== undefined,
      sandboxUrl: config.sandboxUrl,
    },
  });
  let listeningAt = '';
  const { identity, wallet, notifications, realtime, mailer, modules } = assemble(config, {
    ...shared,
    board,
    fanOut: fanOutLimit(cache, clock),
    // A process that does not listen, such as a worker, can only guess where clients reach the others.
    publicUrl: () => config.publicUrl ?? (listeningAt || `http://${config.host}:${config.port}`),
  });
  modules.push(...others);
  const { lag } = backbone;
  tellOfOperation(gateway.metrics, { database, jobs, board, lag, build: config });
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
  let draining = false;
  const isReady = async (): Promise<boolean> =>
    ready &&
    !draining &&
    (await database.ping().then(
      () => true,
      () => false,
    ));
  const missing = () => (bus.isWhole() ? [] : ['redis']);
  const health = { isReady, missing };
  const server = gateway.serve({
    operations,
    authenticate: identity.door.authenticate,
    health,
    isDraining: () => draining,
  });
  const monitoring = gateway.monitor(health);

  return {
    identity: identity.door as Identity,
    wallet: wallet.door,
    notifications: notifications.door,
    live,
    bus,
    liveFigures: realtime.door.figures,
    keys: gateway.keys,
    operations,
    /** Serves the API; answers its base URL. */
    async listen(): Promise<string> {
      await realtime.door.attach(server.server);
      await server.listen({ host: config.host, port: config.port });
      ready = true;
      listeningAt = urlOf(server.server.address() as AddressInfo);
      return listeningAt;
    },
    /** Serves health and metrics at a port of their own; to be called last, for it says that all is ready. */
    async monitor(port: number): Promise<string> {
      monitoring.listen(port, config.host);
      await once(monitoring, 'listening');
      ready = true;
      return urlOf(monitoring.address() as AddressInfo);
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
    /**
     * Says that it is about to end, and goes on serving: it is not ready any more, asks clients to connect elsewhere, and
     * takes no more jobs. Balancers have time to notice until `close`.
     */
    retire(): void {
      draining = true;
      void jobs.rest();
    },
    /** Ends what is in flight and no more: requests, jobs, reports, connections, in that order. */
    async close(): Promise<void> {
      draining = true;
      await realtime.door.drain();
      // Connections whose last request was in flight turn idle only once it is answered.
      const sweeping = setInterval(() => server.server.closeIdleConnections(), 50);
      await server.close().finally(() => clearInterval(sweeping));
      await backbone.stop();
      await jobs.stop();
      await gateway.flush();
      mailer?.close();
      await Promise.all([cache.close(), bus.close(), database.close()]);
      monitoring.close();
      monitoring.closeAllConnections();
    },
  };
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
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
  ];
  const grown: [keyof ReturnType<Realtime['figures']>, string][] = [
    ['frames', 'Messages delivered'],
    ['writes', 'Writes that carried them'],
    ['slow', 'Connections dropped because they did not read'],
  ];
  for (const [name, help] of told) metrics.gauge(`live_${name}`, help, () => figures()[name]);
  for (const [name, help] of grown) metrics.counter(`live_${name}_total`, help, () => figures()[name]);
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
