import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for those before them. Browsers send none ahead, other clients a few. */
const MAX_WAITING = 100;

/**
 * Handles the requests of each connection one after the other. Node hands over all that a client has sent ahead, so that
 * a few connections would have tens of thousands of requests worked on at once, before any limit has counted them. A
 * connection on which too many wait is closed.
 */
export function handleInTurn(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const handle = () => {
      for (const handler of handlers) handler(request, response);
    };
    // A response has the socket once all earlier ones are sent.
    if (response.socket) {
      handle();
      return;
    }
    const { socket } = request;
    const before = waiting.get(socket) ?? 0;
    if (before >= MAX_WAITING) {
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      handle();
    });
  });
}
