import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Refuses new connections and goes on serving those that are open, until all have closed or the time is over. Balancers
 * without health checks learn from a refusal that the process has gone, and send the request to another one. A
 * connection that they kept for later is answered, with `Connection: close`, since a request that meets its end is lost.
 */
export async function refuseConnections(server: Server, { forMs }: { forMs: number }): Promise<void> {
  if (!server.listening) return;
  // That of HTTP would close idle connections, too.
  NetServer.prototype.close.call(server);
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs && (await openConnections(server)) > 0) await sleep(POLL_MS);
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
