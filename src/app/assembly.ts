import { createGateway } from '../gateway/index.ts';
import type { Siblings } from '../kernel/distributed/in-cluster.ts';
import { sealedLastingKey } from '../kernel/lasting-key.ts';
import { collectLive } from '../kernel/live/live-commands.ts';
import { subscriptionJobs } from '../kernel/messaging/event-deliveries.ts';
import { relayJob } from '../kernel/messaging/event-relay.ts';
import type { Subscription } from '../kernel/messaging/events.ts';
import { formerQueues } from '../kernel/messaging/former-queues.ts';
import { selectQueues } from '../kernel/messaging/queue-selection.ts';
import { circuitBoard, circuitMetrics } from '../kernel/net/circuit-breaker.ts';
import { systemBoard } from '../kernel/net/system-board.ts';
import { eraseJobs } from '../kernel/records/job-erasure.ts';
import { resealing } from '../kernel/records/resealing.ts';
import { passkeyDomainOf } from '../modules/identity/settings.ts';
import type { Contributions, Module } from '../modules/module.ts';
import { monitoringPortOf, originsOf, type PlatformConfig } from './config.ts';
import { openExternalSystems } from './external-systems.ts';
import { FORMER_QUEUES } from './former-queues.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createModules, type Decorators } from './modules.ts';
import { platformVersion } from './version.ts';

interface AssemblyOptions {
  /** Additional modules, for tests. */
  others?: Module[];
  decorators?: Decorators;
  siblings?: Siblings | undefined;
  /** The URL at which clients reach the API. */
  publicUrl: () => string;
  /** Whether the process is about to stop. */
  isDraining?: () => boolean;
}

/** Creates the gateway and the modules, and collects their contributions. Nothing runs yet. */
export function assemblePlatform(
  config: PlatformConfig,
  { core, secrets }: Pick<Infrastructure, 'core' | 'secrets'>,
  { others = [], decorators = {}, siblings, publicUrl, isDraining = () => false }: AssemblyOptions,
) {
  const { audit, database } = core;
  const board = circuitBoard();
  const systems = systemBoard(core.clock);
  const external = openExternalSystems(config, { ...core, secrets, board, systems });
  const origins = originsOf(config);
  const gateway = createGateway({
    ...core,
    origins,
    environment: config.environment,
    publicUrl: config.publicUrl ?? '/',
    secrets,
    version: platformVersion(),
    offersPasskeys: passkeyDomainOf(config.identity, config.environment) !== undefined,
    sandboxUrl: config.sandboxUrl,
    developmentApiKey: config.developmentApiKey,
    isLiveOnly: config.role === 'live',
    hasMetricsApart: monitoringPortOf(config) !== undefined,
    shareMetrics: siblings?.shareMetrics,
    settings: config.gateway,
  });
  const { modules, services } = createModules(config, {
    core,
    secrets,
    external,
    systems,
    isDraining,
    forwarding: gateway.forwarding,
    countAnonymous: gateway.countAnonymous,
    origins,
    decorators,
    publicUrl,
    erasePerson: async (person) => {
      await audit.erase(person);
      await gateway.erase(person);
      for (const module of modules) await module.erasePerson?.(person);
      return { isComplete: !(await eraseJobs(database, person)) };
    },
  });
  modules.push(...others);
  const contributed = contributionsOf(
    [
      { name: 'gateway', service: undefined, ...gateway.contributions },
      { name: 'kernel', service: undefined, jobs: [formerQueues(database, FORMER_QUEUES)] },
      ...modules,
    ],
    core,
  );
  return {
    gateway,
    modules,
    services: {
      ...services,
      resealing: resealing(database, [sealedLastingKey(secrets), ...contributed.sealed]),
    },
    ...contributed,
    // In every role, so that a mistyped name is refused wherever it is set.
    workedJobs: workedJobsOf(config, contributed, core.log),
    metrics: [...circuitMetrics(board), ...systems.metrics, ...contributed.metrics],
  };
}

/** Returns the jobs that this process works on; a warning tells of names that only former releases had. */
const workedJobsOf = (
  { workerQueues }: Pick<PlatformConfig, 'workerQueues'>,
  { jobs, absentJobs }: Pick<ReturnType<typeof contributionsOf>, 'jobs' | 'absentJobs'>,
  log: Infrastructure['core']['log'],
) =>
  selectQueues(jobs, workerQueues, {
    absent: absentJobs,
    former: FORMER_QUEUES,
    warn: (sentence) => log.warn(sentence),
  });

/** Collects the contributions of the gateway and the modules, and what hubs derive from the contributions of all modules. */
function contributionsOf(modules: Module[], { jobs }: Pick<Infrastructure['core'], 'jobs'>) {
  const derived = modules.map((module) => module.collect?.(modules) ?? {});
  const parts: Contributions[] = [...modules, ...derived];
  const subscriptions: Subscription[] = parts.flatMap((part) => part.subscriptions ?? []);
  return {
    operations: modules.flatMap((module, place) => [
      ...(module.operations ?? []),
      ...(derived[place]?.operations ?? []),
    ]),
    sections: Object.assign({}, ...modules.map((module) => module.sections ?? {})) as Record<string, string>,
    outgoing: parts.flatMap((part) => part.outgoing ?? []),
    rawRoutes: modules.flatMap((module) => module.rawRoutes ?? []),
    rawFailures: modules.flatMap((module) => module.rawFailures ?? []),
    live: collectLive(parts),
    metrics: parts.flatMap((part) => part.metrics ?? []),
    sealed: modules.flatMap((module) => module.sealed ?? []),
    subscriptions,
    absentJobs: parts.flatMap((part) => part.absentJobs ?? []),
    jobs: [
      ...parts.flatMap((part) => part.jobs ?? []),
      ...subscriptionJobs(subscriptions),
      relayJob(subscriptions, jobs),
    ],
  };
}
