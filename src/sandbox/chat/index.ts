import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../kernel/text/html.ts';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Adds a small chat at `/chat` to try the live channel in two windows. */
export function addChat(app: FastifyInstance, api: () => { url: string; key: string }): void {
  const page = read('page.html');
  app.get('/chat', async (_request, reply) => {
    const { url, key } = api();
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(
        page.replace(
          'data-api="" data-key=""',
          () => `data-api="${escapeHtml(url)}" data-key="${escapeHtml(key)}"`,
        ),
      );
  });
  for (const name of ['page.js', 'live.js']) {
    const script = read(name);
    app.get(`/chat/${name}`, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(script),
    );
  }
}
