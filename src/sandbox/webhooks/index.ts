import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../kernel/time/time.ts';
import { addFilledPage, type Prefill } from '../page.ts';
import { modeOf, taking } from '../taking.ts';
import { type Administrator, registerAt } from './registration.ts';

const MAX_KEPT = 500;
const INBOX = '/webhooks/inbox';
const MODES = ['ok', 'fail', 'hang', 'gone'] as const;
type Mode = (typeof MODES)[number];
const STATUS: Record<Exclude<Mode, 'hang'>, number> = { ok: 204, fail: 503, gone: 410 };

/** A request as received. */
interface Received {
  /** Sequence number by arrival, from 1. */
  number: number;
  receivedAt: string;
  headers: Record<string, string>;
  body: string;
  /** The status that the receiver responded with; null if it hangs. */
  status: number | null;
}

interface WebhookDeps {
  /** The clock of the platform, whose time the signatures contain. */
  clock: Pick<Clock, 'date'>;
  api: () => Prefill;
  administrator: () => Administrator | undefined;
  ownUrl: () => string;
}

/**
 * Adds a receiver of webhooks with a page at `/webhooks` that verifies and shows them. `POST /webhooks/register`
 * registers it at the platform.
 */
export function addWebhooks(app: FastifyInstance, { api, administrator, ownUrl, clock }: WebhookDeps): void {
  let mode: Mode = 'ok';
  let count = 0;
  let registered: { id: string; url: string; secret: string } | undefined;
  let requests: Received[] = [];

  app.register(async (scope) => {
    // The signature covers the bytes, so the body is kept unparsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 * 1024 }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(INBOX, (request, reply) => {
      const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'));
      const status = mode === 'hang' ? null : STATUS[mode];
      requests.push({
        number: ++count,
        receivedAt: clock.date().toISOString(),
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: String(request.body ?? ''),
        status,
      });
      requests = requests.slice(-MAX_KEPT);
      if (status !== null) reply.code(status).send();
    });
  });
  app.get<{ Querystring: { after?: string } }>(INBOX, async ({ query }, reply) => {
    const after = Number(query.after ?? 0);
    const deliveries = requests.filter(({ number }) => number > after);
    return reply.header('cache-control', 'no-store').send({ endpoint: registered ?? null, deliveries });
  });
  app.post('/webhooks/register', async (_request, reply) => {
    const found = administrator();
    if (!found || !api().url) return reply.code(503).send({ error: 'the platform has not started yet' });
    try {
      const url = ownUrl() + INBOX;
      registered = { url, ...(await registerAt(api(), found, url)) };
      return { id: registered.id, url, shownAt: `${ownUrl()}/webhooks` };
    } catch (error) {
      return reply.code(502).send({ error: (error as Error).message });
    }
  });
  app.post(
    '/control/webhooks',
    taking(modeOf(MODES), ({ body }) => {
      mode = body.mode;
      return { mode };
    }),
  );

  addFilledPage(app, { path: '/webhooks', beside: import.meta.url, scripts: ['page.js'], api });
}
