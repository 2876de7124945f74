import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, databaseAccessOf, monitoringPortOf, servesClients } from '../app/config.ts';
import { migratePlatform, schemaStateOf } from '../app/schema.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { keepEnvironment, refuseOtherEnvironment } from '../kernel/database/environment.ts';
import { refuseReplica } from '../kernel/database/migrations.ts';
import { isUsable, SchemaFault, type SchemaState } from '../kernel/database/schema-state.ts';
import type { Lifetime } from './lifetime.ts';

const POLL_MS = 1_000;
const LOG_AGAIN_MS = 30_000;
/** How long a migration may take before a process tells of itself; most end at once. */
const UNANSWERED_MS = 1_000;
/** How long a start waits for a PostgreSQL that is itself starting. */
const SERVER_START_MS = 60_000;
/** PostgreSQL's `cannot_connect_now`. */
const CANNOT_CONNECT_NOW = '57P03';

type Log = Pick<Logger, 'warn'>;

/** Returns a function that logs why a migration waits, each reason at most every half minute. */
export function waitLogger(log: Log): (reason: string) => void {
  const loggedAtMs = new Map<string, number>();
  return (reason) => {
    const nowMs = performance.now();
    if (nowMs - (loggedAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_AGAIN_MS) return;
    loggedAtMs.set(reason, nowMs);
    log.warn({ reason }, 'the migration is waiting');
  };
}

interface Waiting {
  /** The starting process, which waits for its schema; without one, a schema that is too old is a fault. */
  life?: Pick<Lifetime, 'register' | 'throwIfEnding'>;
}

/**
 * Brings the database to a schema that this program can work with: migrates it, or, with MIGRATE=off, waits until it
 * has been migrated. Meanwhile readiness reports that the schema is too old. Refuses the database of another environment.
 * @throws SchemaFault, MigrationFault, OperatorFault
 */
export async function ensureSchema(
  config: Config,
  url: string,
  log: Log,
  { life }: Waiting = {},
): Promise<void> {
  const database = openDatabase({
    url,
    connections: 2,
    onBackgroundError: () => undefined,
    ...databaseAccessOf(config),
  });
  try {
    await waitForServer(() => refuseReplica((text) => database.first(text)), log, life);
    await database.refuseLostLimits();
    await refuseOtherEnvironment(database, config.environment);
    const state = await schemaStateOf(database);
    if (state.schema === 'too new') throw new SchemaFault(state);
    if (config.migrate === 'auto') {
      const tell = waitLogger(log);
      const onWait = (reason: string): void => {
        life?.throwIfEnding();
        tell(reason);
      };
      const work = () => migratePlatform(config.databaseDirectUrl ?? url, { onWait });
      await (life ? answeringHealth(config, isUsable(state), work) : work());
    } else if (!isUsable(state)) {
      if (!life) throw new SchemaFault(state);
      log.warn(new SchemaFault(state).message);
      await waitForSchema(config, life, () => schemaStateOf(database));
    }
    await keepEnvironment(database, config.environment);
  } finally {
    await database.close();
  }
}

/** Waits for a PostgreSQL that is itself starting, as after a crash of the machine of both. */
async function waitForServer(ask: () => Promise<void>, log: Log, life: Waiting['life']): Promise<void> {
  const tell = waitLogger(log);
  for (const startedMs = performance.now(); ; ) {
    try {
      return await ask();
    } catch (error) {
      const isStarting = (error as { code?: string }).code === CANNOT_CONNECT_NOW;
      if (!isStarting || performance.now() - startedMs > SERVER_START_MS) throw error;
    }
    life?.throwIfEnding();
    tell('PostgreSQL is starting');
    await sleep(POLL_MS);
  }
}

async function waitForSchema(
  config: Config,
  life: Pick<Lifetime, 'register' | 'throwIfEnding'>,
  readState: () => Promise<SchemaState>,
): Promise<void> {
  const close = await answerHealth(config, { schema: 'too old' });
  try {
    for (;;) {
      life.throwIfEnding();
      await sleep(POLL_MS);
      const state = await readState().catch(() => undefined);
      if (state?.schema === 'too new') throw new SchemaFault(state);
      if (state && isUsable(state)) return;
    }
  } finally {
    await close();
  }
}

/** Serves the health of a process while it migrates for longer than a moment, or waits for another that does. */
async function answeringHealth<T>(config: Config, isUsable: boolean, work: () => Promise<T>): Promise<T> {
  let answering: Promise<() => Promise<void>> | undefined;
  const timer = setTimeout(() => {
    answering = answerHealth(config, {
      ...(isUsable ? {} : { schema: 'too old' }),
      reason: 'the database is being migrated',
    });
    answering.catch(() => undefined); // a port that is taken is reported when the platform listens
  }, UNANSWERED_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    const close = await answering?.catch(() => undefined);
    await close?.();
  }
}

/**
 * Serves the health of a process that is not ready; returns a function that stops it.
 * @param why further fields of the answer to `/health/ready`
 */
async function answerHealth(config: Config, why: Record<string, string>): Promise<() => Promise<void>> {
  const ports = new Set([
    ...(servesClients(config.role) ? [config.port] : []),
    monitoringPortOf(config) ?? config.port,
  ]);
  const servers = [...ports].map((port) => {
    const server = createServer((request, response) => {
      const isLive = request.url === '/health/live';
      const body = isLive ? { status: 'live' } : { status: 'unavailable', ...why };
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'retry-after': '1' };
      response.writeHead(isLive ? 200 : 503, { ...headers, connection: 'close' }).end(JSON.stringify(body));
    });
    return server.listen(port, config.host);
  });
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return async () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
}
