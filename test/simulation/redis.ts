import { once } from 'node:events';
import { connect } from 'node:net';
import { startRedis } from '../support/redis.ts';
import { type Forwarder, forwarder } from './forwarder.ts';

/** A running Redis that one history at a time has to itself. */
export interface RedisServer {
  port: number;
  pid: number;
}

/** `away`: all connections break, new ones are refused, and all data is lost. `frozen`: it does not answer. */
export type RedisMode = 'ok' | 'away' | 'frozen';

/** Starts as many servers; undefined in place of each if Redis is not installed. They end with this process. */
export const startRedises = (count: number): Promise<(RedisServer | undefined)[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const server = await startRedis();
      return server && { port: Number(new URL(server.url).port), pid: server.pid() };
    }),
  );

async function empty(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.write('FLUSHALL\r\n');
  await once(socket, 'data');
  socket.destroy();
}

/** The Redis of an installation, which can fail. Each process of the platform reaches it through a forwarder of its own. */
export async function simulatedRedis({ port, pid }: RedisServer) {
  const ways = new Set<Forwarder>();
  let mode: RedisMode = 'ok';
  await empty(port);

  async function set(next: RedisMode): Promise<void> {
    if (mode === 'frozen') process.kill(pid, 'SIGCONT');
    // A server that starts again is empty.
    if (mode === 'away' && next !== 'away') await empty(port);
    mode = next;
    if (mode === 'frozen') process.kill(pid, 'SIGSTOP');
    if (mode === 'away') for (const way of ways) way.cut();
  }

  return {
    set,
    /** Opens a way for a process; closing it is what the death of the process does. */
    async open(): Promise<{ url: string; close(): void }> {
      const way = await forwarder({
        target: () => (mode === 'away' ? undefined : { host: '127.0.0.1', port }),
      });
      ways.add(way);
      return {
        url: `redis://127.0.0.1:${way.port}`,
        close: () => {
          ways.delete(way);
          way.close();
        },
      };
    },
  };
}
