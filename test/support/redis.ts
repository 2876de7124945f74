import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './ports.ts';

export interface RedisServer {
  url: string;
  /** The id of the running process. */
  pid(): number;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Stops the process without closing its connections, like a machine that hangs. */
  freeze(): void;
  thaw(): void;
}

/**
 * Starts a Redis for this test file; undefined if none is installed.
 * @param more arguments of the server
 */
export async function startRedis(more: string[] = []): Promise<RedisServer | undefined> {
  const program = process.env.TEST_REDIS_SERVER;
  if (!program) return undefined;
  const port = await freePort();

  async function launch(path: string): Promise<ChildProcess> {
    const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...more];
    const redis = spawn(path, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    for await (const chunk of redis.stdout as NodeJS.ReadableStream) {
      printed += chunk;
      if (printed.includes('Ready to accept connections')) break;
    }
    if (!printed.includes('Ready to accept connections')) throw new Error(`Redis did not start: ${printed}`);
    // Its output must not keep the test file alive.
    redis.stdout?.destroy();
    redis.unref();
    return redis;
  }
  let server = await launch(program);
  process.once('exit', () => server.kill('SIGKILL'));
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: () => server.pid as number,
    kill: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
    },
    restart: async () => {
      server = await launch(program);
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
  };
}

/**
 * Starts a Redis that is a node of a cluster which has no other; undefined if none is installed.
 * @param folder where it keeps its view of the cluster
 */
export const startClusterNode = async (folder: string): Promise<RedisServer | undefined> =>
  // The usual port of a cluster, ten thousand above the other, may be taken.
  startRedis(['--cluster-enabled', 'yes', '--cluster-port', await freePort(), '--dir', folder]);
