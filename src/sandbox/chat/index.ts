import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { filledPage, type Prefill } from '../page.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Adds a small chat at `/chat` to try the live channel in two windows. */
export function addChat(app: FastifyInstance, api: () => Prefill): void {
  const page = read('page.html');
  app.get('/chat', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(filledPage(page, '/chat', api())),
  );
  const script = read('page.js');
  app.get('/chat/page.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(script),
  );
}
