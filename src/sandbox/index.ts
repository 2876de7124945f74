import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { addBackoffice } from './backoffice.ts';
import { addLivePlatform } from './live-platform.ts';
import { addMailbox } from './mailbox.ts';

export interface Sandbox {
  url: string;
  close(): Promise<void>;
}

/** What the sandbox's backoffice takes for its API key; it guards nothing. */
export const SANDBOX_BACKOFFICE_KEY = 'sandbox-backoffice-key';

/** Local stand-ins of the external systems, which speak the real ones' protocols over HTTP on the loopback. */
export async function startSandbox(port: number): Promise<Sandbox> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  addBackoffice(app, SANDBOX_BACKOFFICE_KEY);
  addMailbox(app);
  addLivePlatform(app);
  app.get('/', async (_request, reply) => reply.redirect('/mailbox'));
  await app.listen({ host: '127.0.0.1', port });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    close: () => app.close(),
  };
}
