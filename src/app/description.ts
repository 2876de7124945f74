import { pino } from 'pino';
import { createGateway } from '../gateway/index.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { inProcessBus, inProcessCache } from '../kernel/distributed/in-process.ts';
import { idMaker } from '../kernel/ids.ts';
import { livePublisher } from '../kernel/live/live.ts';
import { collectLive } from '../kernel/live/live-commands.ts';
import type { JobQueue } from '../kernel/messaging/jobs.ts';
import { eventBackbone } from '../kernel/messaging/outbox.ts';
import { circuitBoard } from '../kernel/net/circuit-breaker.ts';
import { forwarding } from '../kernel/net/forwarding.ts';
import { auditLog } from '../kernel/records/audit.ts';
import { systemClock as clock } from '../kernel/time/time.ts';
import type { Config } from './config.ts';
import { createModules } from './modules.ts';

const neverStarted = () => Promise.reject(new Error('what is only described does not run'));
const jobs: JobQueue = {
  enqueue: neverStarted,
  prepare: neverStarted,
  work: neverStarted,
  rest: neverStarted,
  stop: neverStarted,
  settled: () => new Map(),
  queues: neverStarted,
};

/** The descriptions of the API (OpenAPI) and of its live channel (AsyncAPI). */
export interface Descriptions {
  api: object;
  live: object;
}

/**
 * Returns the descriptions without a running platform: assembles the same modules that are served, but connects to,
 * starts and writes nothing.
 */
export function describePlatform(config: Config): Descriptions {
  const log = pino({ level: 'silent' });
  const newId = idMaker(clock);
  // A pool connects on its first query, which never comes.
  const database = openDatabase({
    url: 'postgresql://localhost/never',
    connections: 1,
    onBackgroundError: () => undefined,
  });
  const bus = inProcessBus();
  const cache = inProcessCache(clock);
  const { events } = eventBackbone({ database, clock, newId, jobs, onError: () => undefined });
  const shared = {
    database,
    jobs,
    bus,
    clock,
    newId,
    log,
    events,
    cache,
    board: circuitBoard(),
    audit: auditLog({ database, clock, newId }),
    erasePerson: async () => undefined,
    live: livePublisher(bus),
    forwarding: forwarding([], () => undefined),
  };
  const publicUrl = config.publicUrl ?? '/';
  const gateway = createGateway({
    ...shared,
    settings: {
      environment: config.environment,
      internalKey: undefined,
      webhookSecrets: [],
      trustedProxies: [],
      corsOrigins: undefined,
      publicUrl,
      stalledClientMs: 30_000,
      logsAccess: false,
      hasMetricsApart: false,
    },
  });
  // Keys are derived from the secret, but none appears in the description.
  const secretKey = 'no secret: only described';
  const { modules } = createModules(
    { ...config, databaseUrl: '', secretKey },
    { ...shared, publicUrl: () => publicUrl },
  );
  const operations = modules.flatMap((module) => module.operations ?? []);
  return {
    api: gateway.describe([...gateway.operations, ...operations]),
    live: gateway.describeLive(collectLive(modules)),
  };
}
