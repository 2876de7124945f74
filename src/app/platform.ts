import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { allInTurn } from '../kernel/concurrency/all-in-turn.ts';
import { lazy } from '../kernel/concurrency/lazy.ts';
import type { Siblings } from '../kernel/distributed/in-cluster.ts';
import { type MessageCheck, noMessageCheck } from '../kernel/messaging/message-check.ts';
import { refuseConnections } from '../kernel/net/listening.ts';
import type { Clock } from '../kernel/time/time.ts';
import type { Module } from '../modules/module.ts';
import { assemblePlatform } from './assembly.ts';
import { catchingUp } from './catching-up.ts';
import type { PlatformConfig } from './config.ts';
import { healthOf } from './health.ts';
import { openInfrastructure } from './infrastructure.ts';
import { metricsOf } from './metrics.ts';
import type { Decorators } from './modules.ts';

/** How long connections that balancers keep open are still answered once no new ones are accepted. */
const MAX_LINGER_MS = 1_000;

interface PlatformParts {
  config: PlatformConfig;
  log: Logger;
  /** Set by tests; otherwise the clock follows the database. */
  clock?: Clock;
  /** By how many milliseconds the clock was moved on, in development. */
  movedOnMs?: () => number;
  /** Additional modules, for tests. */
  others?: Module[];
  /** Wrappers of services for the other modules, in development. */
  decorators?: Decorators;
  /** The other processes of the machine that share its ports. */
  siblings?: Siblings | undefined;
  /** Checks every job, event and live message against its shape, for tests. */
  check?: MessageCheck;
}

interface WorkOptions {
  /** Whether the jobs of each start run now, as by default; in a new database, as of tests, they would find nothing. */
  catchesUp?: boolean;
}

export type Platform = Awaited<ReturnType<typeof createPlatform>>;

/**
 * Creates the platform as its composition root: makes each part once and injects it where it is needed. Nothing runs
 * yet: `listen` serves, `work` runs jobs, `close` ends both.
 */
export async function createPlatform({
  config,
  log,
  clock,
  movedOnMs = () => 0,
  others,
  decorators,
  siblings,
  check = noMessageCheck,
}: PlatformParts) {
  const infrastructure = await openInfrastructure(config, { log, clock, movedOnMs, siblings, check });
  const drain = { isOn: false, lingerMs: 0 };
  const isDraining = (): boolean => drain.isOn;
  // A process that does not listen, such as a worker, derives the address of the API from the settings.
  let ownUrl = `http://${config.host}:${config.port}`;
  const assembly = assemblePlatform(config, infrastructure, {
    others,
    decorators,
    siblings,
    publicUrl: () => config.publicUrl ?? ownUrl,
    isDraining,
  });
  const { core, queue, backbone } = infrastructure;
  const { gateway, modules, services, jobs, workedJobs, operations } = assembly;
  for (const metric of metricsOf(config, infrastructure, assembly)) gateway.metrics.add(metric);
  await queue.prepare(jobs);
  backbone.subscribe(assembly.subscriptions);
  let ready = false;
  const health = healthOf({ ...core, modules, isServing: () => ready && !drain.isOn });
  const server = gateway.serve({ ...assembly, ...services.identity, health, isDraining });
  const monitoring = gateway.monitor(health);
  const start = lazy(() => startAll(modules));

  return {
    ...services,
    bus: core.bus,
    live: core.live,
    keys: gateway.keys,
    operations,
    /** Loads the modules' contributions to a trial installation. */
    seeds: modules.flatMap(({ seed }) => (seed ? [seed] : [])),
    /** Serves the API and returns its base URL. */
    async listen(): Promise<string> {
      await start();
      for (const module of modules) await module.attach?.(server.server);
      await server.listen(placeOf(config, siblings));
      ready = true;
      ownUrl = urlOf(server.server.address() as AddressInfo);
      return ownUrl;
    },
    /** Serves health and metrics on a separate port; must be called last, because it marks the process as ready. */
    async monitor(port: number): Promise<string> {
      monitoring.listen({ port, host: config.host, reusePort: siblings !== undefined });
      await once(monitoring, 'listening');
      ready = true;
      return urlOf(monitoring.address() as AddressInfo);
    },
    work: async (options: WorkOptions = {}): Promise<void> => {
      await start();
      await queue.work(workedJobs, options);
      backbone.start();
    },
    /** Runs a job of this kind now, as its schedule would. */
    runJob: async (name: string): Promise<void> => {
      const found = jobs.find(({ kind }) => kind.name === name);
      if (!found) throw new Error(`there is no job ${name}`);
      await found.run?.({}, { signal: new AbortController().signal, attempt: 1 });
      await core.database.transaction(async (tx) => found.runIn?.(tx, {}));
    },
    /** Runs the work that became due between two instants; for development, where the clock can be advanced. */
    catchUp: catchingUp({ ...core, queue, jobs, backbone }),
    /**
     * Announces shutdown while still serving: reports not ready, asks clients to reconnect elsewhere, and takes no more
     * jobs. Load balancers have until `close` to notice.
     * @param forMs how long it goes on serving; WebSockets are closed one by one in the second half of that time
     */
    retire(forMs = 0): void {
      drain.isOn = true;
      drain.lingerMs = Math.min(MAX_LINGER_MS, forMs / 5);
      void queue.drain();
      for (const module of modules) module.retire?.(forMs);
    },
    /** Finishes work in flight and closes everything: requests, jobs, reports, connections, in that order. */
    async close(): Promise<void> {
      drain.isOn = true;
      const reversed = modules.toReversed();
      const lingering = refuseConnections(server.server, { forMs: drain.lingerMs });
      // One that fails, as all do that need a lost database, must not keep the others from ending.
      await allInTurn([
        ...reversed.map((module) => () => module.drain?.()),
        () => lingering,
        () => server.close(),
        backbone.stop,
        queue.stop,
        gateway.close,
        ...reversed.map((module) => () => module.stop?.()),
        infrastructure.close,
      ]);
      monitoring.close();
      monitoring.closeAllConnections();
    },
  };
}

async function startAll(modules: Module[]): Promise<void> {
  for (const module of modules) await module.start?.();
}

/** Siblings listen each for itself: a connection handed to a process that is killed meanwhile would hang. */
const placeOf = ({ host, port }: PlatformConfig, siblings: Siblings | undefined) => ({
  host,
  port,
  reusePort: siblings !== undefined,
});

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
