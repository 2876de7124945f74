import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../kernel/text/html.ts';
import type { Clock } from '../kernel/time/time.ts';
import { sandboxPage } from './page.ts';
import { modeOf, taking } from './taking.ts';

/** A received push, in the shape of FCM's messages. */
export interface Push {
  token: string;
  notification: { title: string; body: string };
  data: Record<string, string>;
  webpush?: { notification: object };
  android?: { notification: { notification_count?: number } };
  apns?: { payload: { aps: { badge?: number } }; fcm_options?: { image?: string } };
  receivedAt: string;
}

const MODES = ['ok', 'fail', 'hang'] as const;
type Mode = (typeof MODES)[number];

const MAX_PUSHES = 1_000;
const TOKEN = 'sandbox-push-token';
const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const MAX_BYTES = 4096;
const RESERVED = /^(from$|message_type$|collapse_key$|google|gcm)/;
const hasReserved = (data: object = {}): boolean => Object.keys(data).some((name) => RESERVED.test(name));
/** The only known project. */
export const SANDBOX_PROJECT = 'sandbox';

/** The part shared with the push service for browsers. */
export interface Pushes {
  mode: () => Mode;
  take: (push: Omit<Push, 'receivedAt'>) => void;
}

/**
 * Adds a push service that implements FCM's HTTP v1 protocol and shows received pushes at `/push`. Tokens that begin
 * with `dead` are unregistered; `POST /control/push` makes it fail or hang.
 */
export function addPush(app: FastifyInstance, clock: Pick<Clock, 'date'>): Pushes {
  const pushes: Push[] = [];
  let mode: Mode = 'ok';
  const take = (push: Omit<Push, 'receivedAt'>): void => {
    pushes.unshift({ ...push, receivedAt: clock.date().toISOString() });
    pushes.length = Math.min(pushes.length, MAX_PUSHES);
  };

  app.post<{ Body: { grant_type?: string; assertion?: string } }>('/push/token', async ({ body }, reply) =>
    body.grant_type === JWT_GRANT && body.assertion
      ? { access_token: TOKEN, expires_in: 3600, token_type: 'Bearer' }
      : reply.code(400).send({ error: 'invalid_grant' }),
  );
  app.post<{ Params: { project: string }; Body: { message: Omit<Push, 'receivedAt'> } }>(
    '/push/v1/projects/:project/messages:action',
    async ({ params, body, headers }, reply) => {
      const refuse = (code: number, status: string, errorCode?: string) =>
        reply
          .code(code)
          .send({ error: { code, status, message: status, details: errorCode ? [{ errorCode }] : [] } });
      if (headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 'UNAUTHENTICATED');
      if (mode === 'fail') return refuse(503, 'UNAVAILABLE');
      if (mode === 'hang') return new Promise(() => undefined);
      if (params.project !== SANDBOX_PROJECT) return refuse(404, 'NOT_FOUND');
      if (body.message.token.startsWith('dead')) return refuse(404, 'NOT_FOUND', 'UNREGISTERED');
      // Like the real service: at most 4096 bytes, and no reserved names in the data.
      const { token: _token, ...counted } = body.message;
      if (Buffer.byteLength(JSON.stringify(counted)) > MAX_BYTES || hasReserved(body.message.data))
        return refuse(400, 'INVALID_ARGUMENT', 'INVALID_ARGUMENT');
      const { android, apns } = body.message;
      for (const count of [android?.notification.notification_count, apns?.payload.aps.badge])
        if (count !== undefined && !Number.isInteger(count)) return refuse(400, 'INVALID_ARGUMENT');
      take(body.message);
      return { name: `projects/${params.project}/messages/${pushes.length}` };
    },
  );
  app.post(
    '/control/push',
    taking(modeOf(MODES), ({ body }) => {
      mode = body.mode;
      return { mode };
    }),
  );
  app.get<{ Querystring: { token?: string; format?: string } }>('/push', async ({ query }, reply) => {
    const matching = pushes.filter(({ token }) => query.token === undefined || token === query.token);
    if (query.format === 'json') return matching;
    return reply.type('text/html; charset=utf-8').send(page(matching));
  });
  return { mode: () => mode, take };
}

const STYLE =
  'article { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0 }';

const article = ({ token, notification, data, receivedAt }: Push): string =>
  `<article><b>${escapeHtml(notification.title)}</b><br>${escapeHtml(notification.body)}<br><small>to ${escapeHtml(token)} · ${escapeHtml(JSON.stringify(data))} · ${receivedAt}</small></article>`;

const page = (pushes: Push[]): string =>
  sandboxPage({
    title: 'Sandbox pushes',
    path: '/push',
    style: STYLE,
    main: `<h1>Sandbox pushes</h1>
${pushes.length === 0 ? '<p>No pushes yet. Register a device and send one.</p>' : ''}
${pushes.map(article).join('\n')}`,
  });
