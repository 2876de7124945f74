import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
/** How long it waits for a moment at which no connection waits to be accepted. */
const MAX_WAIT_MS = 2_000;
/** A turn of an event loop that has little to do. */
const SHORT_TURN_MS = 5;
/** So many in a row; the first may have no part in which connections are accepted. */
const QUIET_TURNS = 2;

/**
 * Refuses new connections and goes on serving those that are open, until all have closed or the time is over. Balancers
 * without health checks learn from a refusal that the process has gone, and send the request to another one. A
 * connection that they kept for later is answered, with `Connection: close`, since a request that meets its end is lost.
 */
export async function refuseConnections(server: Server, { forMs }: { forMs: number }): Promise<void> {
  if (!server.listening) return;
  await allAccepted(server);
  // That of HTTP would close idle connections, too.
  NetServer.prototype.close.call(server);
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs && (await openConnections(server)) > 0) await sleep(POLL_MS);
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));

/**
 * Waits until no connection waits to be accepted. When the listening socket closes, the kernel resets those that it has opened
 * and nobody has accepted, and a balancer does not send their requests again. Each turn of the event loop accepts one; after
 * short turns without any there is most likely none.
 */
async function allAccepted(server: Server): Promise<void> {
  let hasAccepted = false;
  const note = (): void => {
    hasAccepted = true;
  };
  server.on('connection', note);
  const untilMs = performance.now() + MAX_WAIT_MS;
  let sinceMs = performance.now();
  for (let quiet = 0; quiet < QUIET_TURNS && sinceMs < untilMs; ) {
    hasAccepted = false;
    await nextTurn();
    const nowMs = performance.now();
    quiet = hasAccepted || nowMs - sinceMs > SHORT_TURN_MS ? 0 : quiet + 1;
    sinceMs = nowMs;
  }
  server.off('connection', note);
}
