import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Pending {
  /** Bytes of the response that the client's side had not taken yet. */
  bytes: number;
  /** How often in succession it was found like this. */
  looks: number;
}

/** Counted in looks rather than by the clock, so that a process that was frozen does not blame its clients for it. */
const LOOKS = 6;

/**
 * Closes connections whose clients take nothing of a pending response for `stallMs`: they would hold it in memory for
 * ever. A client that takes a little from time to time keeps its connection, and so does one whose response is not
 * ready. WebSockets are left out; the live channel has a rule of its own.
 */
export function closeStalledClients(server: Server, stallMs: number): void {
  const sockets = new Set<Socket>();
  const waiting = new WeakMap<Socket, Pending>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (_request, socket) => sockets.delete(socket as Socket));

  function look(socket: Socket): void {
    const bytes = unsentBytes(socket);
    const before = waiting.get(socket);
    if (bytes === 0) waiting.delete(socket);
    else if (bytes !== before?.bytes) waiting.set(socket, { bytes, looks: 0 });
    else if (++before.looks >= LOOKS) socket.destroy();
  }

  const looking = setInterval(() => {
    for (const socket of sockets) look(socket);
  }, stallMs / LOOKS);
  looking.unref();
  server.once('close', () => clearInterval(looking));
}

/**
 * Returns the bytes that wait in this process. A large write counts as a whole until its end for `writableLength`; only
 * Node's handle, on which its own timeouts rely, knows how much of it the system has taken.
 */
function unsentBytes(socket: Socket): number {
  const { writableLength } = socket;
  if (writableLength === 0) return 0;
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return writableLength + (handle?.writeQueueSize ?? 0);
}
