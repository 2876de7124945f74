import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { addBackoffice } from './backoffice.ts';
import { addLivePlatform } from './live-platform.ts';
import { addMailbox } from './mailbox.ts';

const HOST = '127.0.0.1';

export interface Sandbox {
  url: string;
  close(): Promise<void>;
}

/** What the sandbox's backoffice takes for its API key; it guards nothing. */
export const SANDBOX_BACKOFFICE_KEY = 'sandbox-backoffice-key';

/**
 * Local stand-ins of the external systems, which speak the real ones' protocols over HTTP on the loopback.
 * @param port where they listen, or on any free one if it is taken
 */
export async function startSandbox(port: number): Promise<Sandbox> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  addBackoffice(app, SANDBOX_BACKOFFICE_KEY);
  addMailbox(app);
  addLivePlatform(app);
  app.get('/', async (_request, reply) => reply.redirect('/mailbox'));
  await app.listen({ host: HOST, port }).catch(async (error) => {
    // A second instance beside the first: its ready line tells where its own sandbox is.
    if (error.code !== 'EADDRINUSE') throw error;
    await app.listen({ host: HOST, port: 0 });
  });
  return {
    url: `http://${HOST}:${(app.server.address() as AddressInfo).port}`,
    close: () => app.close(),
  };
}
