import type { FastifyInstance } from 'fastify';
import { addFilledPage, type Prefill } from '../page.ts';

const PATH = '/account';
const SCRIPTS = [
  'page.js',
  'page-parts.js',
  'passkeys-of-browser.js',
  'step-up.js',
  'authenticator.js',
  'passkeys.js',
  'sessions.js',
  'data.js',
];

/**
 * Adds a page at `/account` to try what members can do with their own account: verify the address, set up second
 * factors, confirm a session with them (step-up), list sessions, export their data. Requests to 127.0.0.1 are
 * redirected to localhost, the domain for which passkeys of development are valid.
 */
export function addAccount(app: FastifyInstance, api: () => Prefill): void {
  app.addHook('onRequest', async ({ url, host, hostname }, reply) => {
    const [path] = url.split('?', 1);
    if (path === PATH && hostname === '127.0.0.1')
      return reply.redirect(`http://${host.replace('127.0.0.1', 'localhost')}${url}`);
  });
  addFilledPage(app, { path: PATH, beside: import.meta.url, scripts: SCRIPTS, api });
}
