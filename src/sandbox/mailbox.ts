import type { FastifyInstance } from 'fastify';
import { escapeHtml } from './html.ts';

interface Mail {
  id: string;
  kind: string;
  to: string;
  subject: string;
  text: string;
}

const MOST_MAILS = 1_000;

/** A mailbox that receives every e-mail of the platform, to be read at `/mailbox` in a browser. */
export function addMailbox(app: FastifyInstance): void {
  const mails = new Map<string, Mail & { receivedAt: string }>();

  app.post<{ Body: Mail }>('/mailbox', async ({ body }, reply) => {
    if (!mails.has(body.id)) mails.set(body.id, { ...body, receivedAt: new Date().toISOString() });
    for (const oldest of mails.keys()) {
      if (mails.size <= MOST_MAILS) break;
      mails.delete(oldest);
    }
    return reply.code(201).send({ success: true });
  });

  app.get<{ Querystring: { to?: string; format?: string } }>('/mailbox', async ({ query }, reply) => {
    const shown = [...mails.values()].filter(({ to }) => query.to === undefined || to === query.to).reverse();
    if (query.format === 'json') return shown;
    return reply.type('text/html; charset=utf-8').send(page(shown));
  });
}

const page = (mails: (Mail & { receivedAt: string })[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandbox mailbox</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 44rem; padding: 0 1rem; color: #1f2937 }
  article { border: 1px solid #d1d5db; border-radius: .5rem; padding: 1rem 1.25rem; margin: 1rem 0 }
  h2 { font-size: 1.1rem; margin: 0 } small { color: #6b7280 } pre { white-space: pre-wrap; font: inherit; margin: .75rem 0 0 }
</style></head><body><h1>Sandbox mailbox</h1>
${mails.length === 0 ? '<p>No mails yet. Sign up, or reset a password.</p>' : ''}
${mails
  .map(
    ({ to, subject, text, kind, receivedAt }) =>
      `<article><h2>${escapeHtml(subject)}</h2><small>to ${escapeHtml(to)} · ${escapeHtml(kind)} · ${receivedAt}</small><pre>${escapeHtml(text)}</pre></article>`,
  )
  .join('\n')}
</body></html>`;
