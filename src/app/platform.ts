import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createGateway } from '../gateway/index.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { databaseClock } from '../kernel/database/database-clock.ts';
import { inProcessBus, inProcessCache } from '../kernel/distributed/in-process.ts';
import { redisBus, redisCache } from '../kernel/distributed/redis.ts';
import { resilientCache } from '../kernel/distributed/resilient.ts';
import { idMaker } from '../kernel/ids.ts';
import { livePublisher } from '../kernel/live/live.ts';
import { collectLive } from '../kernel/live/live-commands.ts';
import { startJobs } from '../kernel/messaging/job-queue.ts';
import { type MessageCheck, noMessageCheck } from '../kernel/messaging/message-check.ts';
import { eventBackbone, subscriptionJobs } from '../kernel/messaging/outbox.ts';
import { circuitBoard } from '../kernel/net/circuit-breaker.ts';
import { forwarding } from '../kernel/net/forwarding.ts';
import { auditLog } from '../kernel/records/audit.ts';
import { eraseJobs } from '../kernel/records/job-erasure.ts';
import type { Clock } from '../kernel/time/time.ts';
import type { Module } from '../modules/module.ts';
import { monitoringPortOf } from './derived-settings.ts';
import { healthOf } from './health.ts';
import { tellOfOperation } from './infrastructure-metrics.ts';
import { createModules, type PlatformConfig } from './modules.ts';

interface PlatformParts {
  config: PlatformConfig;
  log: Logger;
  /** Set by tests; otherwise it follows the database's. */
  clock?: Clock;
  /** Additional modules, for tests. */
  others?: Module[];
  /** Checks every job, event and live message against its shape, for tests. */
  check?: MessageCheck;
}

const CLOCK_DIFFERS =
  'the clock of this process differs from that of the database, and follows it; synchronize both by NTP';
const UNTRUSTED_PROXY =
  'X-Forwarded-For of an address that is not in TRUSTED_PROXIES is ignored. If it is your proxy, add it: its clients share the limits of one address';

/**
 * Creates the platform as its composition root: makes each part once and injects it where it is needed. Nothing runs
 * yet: `listen` serves, `work` runs jobs, `close` ends both.
 */
export async function createPlatform({
  config,
  log,
  clock: given,
  others = [],
  check = noMessageCheck,
}: PlatformParts) {
  const { shared, backbone, watched } = await openShared({ config, log, given, check });
  const { database, jobs, cache, bus, live } = shared;
  const board = circuitBoard();

  const proxied = forwarding(config.trustedProxies ?? [], (address) =>
    log.warn({ address }, UNTRUSTED_PROXY),
  );
  const gateway = createGateway({ ...shared, forwarding: proxied, settings: gatewaySettings(config) });
  let listeningAt = '';
  const { modules, services } = createModules(config, {
    ...shared,
    forwarding: proxied,
    board,
    erasePerson: async (person) => {
      await shared.audit.erase(person);
      await gateway.erase(person);
      await eraseJobs(database, person);
    },
    // A process that does not listen, such as a worker, can only guess the address of the API.
    publicUrl: () => config.publicUrl ?? (listeningAt || `http://${config.host}:${config.port}`),
  });
  modules.push(...others);
  tellOfOperation(gateway.metrics, { ...watched, board, build: config });
  const { metrics, subscriptions, allJobs, operations } = contributionsOf(modules, gateway);
  for (const metric of metrics) gateway.metrics.add(metric);
  await jobs.prepare(allJobs);
  backbone.subscribe(subscriptions);

  let ready = false;
  let draining = false;
  const health = healthOf({ database, bus, cache, modules, isServing: () => ready && !draining });
  const server = gateway.serve({
    operations,
    rawRoutes: modules.flatMap((module) => module.rawRoutes ?? []),
    live: collectLive(modules),
    authenticate: services.identity.authenticate,
    health,
    isDraining: () => draining,
  });
  const monitoring = gateway.monitor(health);

  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= (async () => {
      for (const module of modules) await module.start?.();
    })();
    return started;
  };

  return {
    ...services,
    bus,
    live,
    keys: gateway.keys,
    operations,
    /** Serves the API and returns its base URL. */
    async listen(): Promise<string> {
      await start();
      for (const module of modules) await module.attach?.(server.server);
      await server.listen({ host: config.host, port: config.port });
      ready = true;
      listeningAt = urlOf(server.server.address() as AddressInfo);
      return listeningAt;
    },
    /** Serves health and metrics on a separate port; must be called last, because it marks the process as ready. */
    async monitor(port: number): Promise<string> {
      monitoring.listen(port, config.host);
      await once(monitoring, 'listening');
      ready = true;
      return urlOf(monitoring.address() as AddressInfo);
    },
    work: async (): Promise<void> => {
      await start();
      await jobs.work(allJobs);
      backbone.start();
    },
    /** Runs a job of this kind now, as its schedule would. */
    runJob: async (name: string): Promise<void> => {
      const found = allJobs.find(({ kind }) => kind.name === name);
      if (!found) throw new Error(`there is no job ${name}`);
      await found.run?.({}, { signal: new AbortController().signal, attempt: 1 });
      await database.transaction(async (tx) => found.runIn?.(tx, {}));
    },
    /**
     * Announces shutdown while still serving: reports not ready, asks clients to reconnect elsewhere, and takes no more
     * jobs. Load balancers have until `close` to notice.
     */
    retire(): void {
      draining = true;
      void jobs.rest();
    },
    /** Finishes work in flight and closes everything: requests, jobs, reports, connections, in that order. */
    async close(): Promise<void> {
      draining = true;
      const reversed = modules.toReversed();
      for (const module of reversed) await module.drain?.();
      // Connections with a request in flight become idle only after its response.
      const sweeping = setInterval(() => server.server.closeIdleConnections(), 50);
      await server.close().finally(() => clearInterval(sweeping));
      await backbone.stop();
      await jobs.stop();
      await gateway.flush();
      for (const module of reversed) await module.stop?.();
      watched.following?.stop();
      await Promise.all([cache.close(), bus.close(), database.close()]);
      monitoring.close();
      monitoring.closeAllConnections();
    },
  };
}

/** Opens the infrastructure of gateway and modules: database, cache, bus, jobs and events. */
async function openShared({
  config,
  log,
  given,
  check,
}: Required<Pick<PlatformParts, 'config' | 'log' | 'check'>> & { given: Clock | undefined }) {
  const { databaseUrl, redisUrl } = config;
  const warn = (what: string) => (error: Error) => log.warn({ error: error.message }, what);
  const database = openDatabase({
    url: databaseUrl,
    connections: config.databaseConnections,
    onBackgroundError: warn('a database connection broke'),
  });
  const following = given
    ? undefined
    : await databaseClock(database, (offsetMs) => log.warn({ offsetMs }, CLOCK_DIFFERS));
  const clock = given ?? (following as Clock);
  const newId = idMaker(clock);
  const local = inProcessCache(clock);
  const cache = redisUrl ? resilientCache(await redisCache(redisUrl, warn('redis')), local) : local;
  const bus = redisUrl ? await redisBus(redisUrl, warn('redis')) : inProcessBus();
  const jobs = await startJobs({
    database,
    url: databaseUrl,
    onError: warn('the job queue'),
    onFailed: (queue, attempt, error) =>
      log.warn({ queue, attempt, error: error.message }, 'an attempt at a job failed'),
    check,
  });
  const backbone = eventBackbone({
    database,
    clock,
    newId,
    jobs,
    onError: warn('the relay of events'),
    check,
  });
  const audit = auditLog({ database, clock, newId });
  const live = livePublisher(bus, check);
  const { events } = backbone;
  const isRedisUp = redisUrl ? () => bus.isConnected() && cache.isConnected() : undefined;
  return {
    backbone,
    watched: { database, jobs, lag: backbone.lag, isRedisUp, following },
    shared: { database, jobs, cache, bus, live, audit, clock, newId, log, events },
  };
}

/** Returns the gateway's part of the configuration. */
const gatewaySettings = (config: PlatformConfig): Parameters<typeof createGateway>[0]['settings'] => ({
  environment: config.environment,
  internalKey: config.internalApiKey,
  webhookSecrets: config.webhookSecrets ?? [],
  trustedProxies: config.trustedProxies ?? [],
  corsOrigins: config.corsOrigins ?? (config.environment === 'production' ? [] : undefined),
  publicUrl: config.publicUrl ?? '/',
  stalledClientMs: config.stalledClientSeconds * 1000,
  logsAccess: config.accessLog === 'on',
  hasMetricsApart: monitoringPortOf(config) !== undefined,
  sandboxUrl: config.sandboxUrl,
});

/** Collects the contributions of modules, and those that hub modules derive from the contributions of others. */
function contributionsOf(modules: Module[], gateway: ReturnType<typeof createGateway>) {
  const parts = [...modules, ...modules.flatMap((module) => module.collect?.(modules) ?? [])];
  const subscriptions = parts.flatMap((part) => part.subscriptions ?? []);
  return {
    subscriptions,
    metrics: modules.flatMap((module) => module.metrics ?? []),
    operations: [...gateway.operations, ...modules.flatMap((module) => module.operations ?? [])],
    allJobs: [
      ...gateway.jobs,
      ...parts.flatMap((part) => part.jobs ?? []),
      ...subscriptionJobs(subscriptions),
    ],
  };
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
