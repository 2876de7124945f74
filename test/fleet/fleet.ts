import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../src/embedded-postgres/cluster.ts';
import { type PgBouncer, runPgBouncer } from '../support/pgbouncer.ts';
import { freePort } from '../support/ports.ts';
import { PRODUCTION, type Program, runProgram, startProgram } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { type Balancer, startHaproxy, startNginx } from './balancers.ts';

const START = ['src/main.js', 'start'];

/** The SDK takes no key with blanks. */
export const API_KEY = 'an-api-key-of-the-fleet';

/** One of the processes of the platform, which can be replaced. */
interface Member {
  readonly program: Program;
  /** Ends it by the signal, and starts its successor. */
  replace(signal: NodeJS.Signals): Promise<void>;
}

/** The fleet of `deploy/compose.yaml` as plain processes of this machine, with PgBouncer in front of the database. */
export interface Fleet {
  balancers: { haproxy: Balancer; nginx: Balancer };
  /** Of the database itself. */
  databaseUrl: string;
  /** The settings of its processes. */
  environment: Record<string, string>;
  pgbouncer: PgBouncer;
  cluster: Cluster;
  redis: RedisServer;
  apis: Member[];
  workers: Member[];
  close(): Promise<void>;
}

/** Starts the parts in the order of the compose file: database and Redis, migration, processes, balancers. */
export async function startFleet(apiCount: number): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-fleet-'));
  const cluster = await startCluster({
    folder: join(folder, 'postgres'),
    settings: { shared_buffers: '64MB', max_connections: '120', fsync: 'off' },
  });
  await cluster.createDatabase('platform');
  const redis = await startRedis();
  if (!redis) throw new Error('redis-server is not installed');
  const databaseUrl = cluster.urlOf('platform');
  const pgbouncer = await runPgBouncer(databaseUrl, { mode: 'transaction' });
  const environment = {
    ...PRODUCTION,
    API_KEY,
    DATABASE_URL: pgbouncer.url,
    DATABASE_DIRECT_URL: databaseUrl,
    DATABASE_POOLER: 'transaction',
    REDIS_URL: redis.url,
    DATA_DIR: join(folder, 'data'),
    TRUSTED_PROXIES: '127.0.0.1',
    STOP_SECONDS: '60',
    MIGRATE: 'off',
    LOG_LEVEL: 'error',
    // The clients are one address to the platform.
    PASSWORD_BLOCKLIST: 'off',
  };
  const migrated = await runProgram(['src/main.js', 'migrate'], { ...environment, MIGRATE: 'auto' });
  if (migrated.code !== 0) throw new Error(`migrate ended with ${migrated.code}: ${migrated.complaints}`);

  const ports = await Promise.all(Array.from({ length: apiCount }, freePort));
  const apis = await Promise.all(ports.map((PORT) => startMember({ ...environment, PORT, ROLE: 'api' })));
  const queues = ['!media.process-video', 'media.process-video'];
  const workers = await Promise.all(
    queues.map((WORKER_QUEUES) => startMember({ ...environment, ROLE: 'worker', WORKER_QUEUES })),
  );
  const balancers = { haproxy: await startHaproxy(folder, ports), nginx: await startNginx(folder, ports) };
  return {
    balancers,
    databaseUrl,
    environment,
    pgbouncer,
    cluster,
    redis,
    apis,
    workers,
    close: async () => {
      for (const { stop } of Object.values(balancers)) stop();
      await Promise.all([...apis, ...workers].map(({ program }) => program.end('SIGKILL')));
      await redis.kill();
      await pgbouncer.stop();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startMember(environment: Record<string, string>): Promise<Member> {
  let program = await startProgram(START, environment);
  return {
    get program() {
      return program;
    },
    replace: async (signal) => {
      await program.end(signal);
      program = await startProgram(START, environment);
    },
  };
}
