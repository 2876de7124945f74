import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;
/** How long a client that has begun its first request before the end may take to finish the head of it. */
const PATIENCE_MS = 1_000;

/**
 * Lets the server close when its last response is sent. Node waits for every connection and ends only those between two
 * requests: neither one whose response is under way when the closing begins, nor one that has never sent a request, such
 * as browsers and load balancers open ahead, and whose time limits no longer hold then.
 */
export function closeConnections(app: FastifyInstance): void {
  const { server } = app;
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  const use = ({ socket }: { socket: Socket }): void => void unused.delete(socket);
  server.on('request', use);
  server.on('upgrade', use);

  let sweeping: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    const beganMs = performance.now();
    sweeping = setInterval(() => {
      server.closeIdleConnections();
      const isPatient = performance.now() - beganMs < PATIENCE_MS;
      for (const socket of unused) if (!isPatient || socket.bytesRead === 0) socket.destroy();
    }, SWEEP_MS);
  });
  app.addHook('onClose', async () => clearInterval(sweeping));
}
