import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../src/embedded-postgres/cluster.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { PRODUCTION, type Program, runProgram, startProgram } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';

const START = ['src/main.js', 'start'];
const DRAIN_SECONDS = 2;

/** The SDK takes no key with blanks. */
export const API_KEY = 'an-api-key-of-the-fleet';

/** One of the processes of the platform, which can be replaced. */
interface Member {
  readonly program: Program;
  /** Ends it by the signal, and starts its successor. */
  replace(signal: NodeJS.Signals): Promise<void>;
}

/** The fleet of `deploy/compose.yaml` as plain processes of this machine. */
export interface Fleet {
  /** The address of the balancer. */
  url: string;
  databaseUrl: string;
  cluster: Cluster;
  redis: RedisServer;
  apis: Member[];
  workers: Member[];
  close(): Promise<void>;
}

/** Starts the parts in the order of the compose file: database and Redis, migration, processes, balancer. */
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
  const environment = {
    ...PRODUCTION,
    API_KEY,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    DATA_DIR: join(folder, 'data'),
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
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
  const { url, stop } = await startBalancer(folder, ports);
  return {
    url,
    databaseUrl,
    cluster,
    redis,
    apis,
    workers,
    close: async () => {
      stop();
      await Promise.all([...apis, ...workers].map(({ program }) => program.end('SIGKILL')));
      await redis.kill();
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

/** Starts haproxy by the configuration of the compose file, with addresses instead of names of containers. */
async function startBalancer(folder: string, ports: string[]): Promise<{ url: string; stop: () => void }> {
  const deploy = new URL('../../deploy/', import.meta.url);
  const port = await freePort();
  const servers = ports.map((one, place) => `server api${place} 127.0.0.1:${one}`).join('\n  ');
  const config = readFileSync(new URL('haproxy.cfg', deploy), 'utf8')
    .replace(/^resolvers containers\n( {2}.*\n)+/m, '')
    .replace(' resolvers containers init-addr none', '')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replace('/usr/local/etc/haproxy/unavailable.http', new URL('unavailable.http', deploy).pathname)
    .replace(/server-template .*/, servers);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const haproxy: ChildProcess = spawn(process.env.TEST_HAPROXY as string, ['-f', file], { stdio: 'ignore' });
  process.once('exit', () => haproxy.kill('SIGKILL'));
  haproxy.unref();
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.status === 200;
  }, 'the balancer');
  return { url, stop: () => void haproxy.kill('SIGKILL') };
}
