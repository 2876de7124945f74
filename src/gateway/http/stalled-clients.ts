import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Pending {
  /** Bytes of the response that the client had not accepted yet. */
  bytes: number;
  /** Consecutive checks with the same number of bytes. */
  checks: number;
}

/** Counted in checks rather than by the clock, so that clients are not blamed for a process that was frozen. */
const CHECKS = 6;

/**
 * Closes connections whose clients accept no data of a pending response for `stallMs`, because the response would stay
 * in memory indefinitely. A client that accepts a little from time to time keeps its connection, as does one whose
 * response is not ready. WebSockets are excluded; the live channel has its own rule.
 */
export function closeStalledClients(server: Server, stallMs: number): void {
  const sockets = new Set<Socket>();
  const waiting = new WeakMap<Socket, Pending>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (_request, socket) => sockets.delete(socket as Socket));

  function check(socket: Socket): void {
    const bytes = unsentBytes(socket);
    const before = waiting.get(socket);
    if (bytes === 0) waiting.delete(socket);
    else if (bytes !== before?.bytes) waiting.set(socket, { bytes, checks: 0 });
    else if (++before.checks >= CHECKS) socket.destroy();
  }

  const timer = setInterval(() => {
    for (const socket of sockets) check(socket);
  }, stallMs / CHECKS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Returns the bytes that wait in this process. `writableLength` counts a large write as a whole until it ends; only
 * Node's handle, which Node's own timeouts use, knows how much of it the system has accepted.
 */
function unsentBytes(socket: Socket): number {
  const { writableLength } = socket;
  if (writableLength === 0) return 0;
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return writableLength + (handle?.writeQueueSize ?? 0);
}
