import type { FastifyInstance } from 'fastify';
import { sandboxPage } from './page.ts';

const PAGE = sandboxPage({
  title: 'Sandbox live platform',
  main: `<h1>Sandbox live platform</h1>
<p>You came by single sign-on. A live platform would now send the <code>token</code> of this address to
<code>POST /v1/auth/sso/redeem</code>, once and within five minutes, and receive who you are and your tokens.</p>`,
});

/** Adds the page to which single sign-on leads, which explains what a live platform would do with the token. */
export function addLivePlatform(app: FastifyInstance): void {
  app.get('/live', async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  );
}
