import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of pipelined requests of a connection. Browsers do not pipeline, other clients send a few. */
const MAX_WAITING = 100;

/**
 * Handles the requests of each connection one after the other. Node dispatches all pipelined requests at once, so that
 * a few connections could start tens of thousands of requests before any rate limit has counted them. A connection with
 * too many waiting requests is closed.
 */
export function handleInTurn(server: Server): void {
  const waiting = new WeakMap<Socket, number>();
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const handle = () => {
      for (const handler of handlers) handler(request, response);
    };
    // Node assigns the socket to a response once all earlier responses have been sent.
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
