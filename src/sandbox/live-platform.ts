import type { FastifyInstance } from 'fastify';

/** Adds the page to which single sign-on leads, which explains what a live platform would do with the token. */
export function addLivePlatform(app: FastifyInstance): void {
  app.get('/live', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandbox live platform</title></head>
<body style="font: 16px/1.5 system-ui; margin: 2rem auto; max-width: 40rem">
<h1>Sandbox live platform</h1>
<p>You came by single sign-on. A live platform would now send the <code>token</code> of this address to
<code>POST /v1/auth/sso/redeem</code>, once and within five minutes, and receive who you are and your tokens.</p>
</body></html>`),
  );
}
