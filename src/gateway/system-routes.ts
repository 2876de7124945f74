import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { failure } from '../kernel/failures.ts';
import { escapeHtml } from '../kernel/html.ts';
import { lazy } from '../kernel/lazy.ts';
import { livePageOf } from './asyncapi/page.ts';
import type { Page } from './http/server.ts';
import type { Metrics } from './metrics.ts';
import type { Json } from './openapi/schemas.ts';

/** The reference runs only our own scripts and calls only this API; it loads nothing from elsewhere. */
const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-ancestors 'none'",
].join('; ');

/** A key, inlined so that the page loads nothing from elsewhere. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2563eb" stroke-width="2"><circle cx="5" cy="8" r="3"/><path d="M8 8h7m-3 0v3"/></svg>',
)}`;

/** The health of the process. */
export interface Health {
  isReady: () => Promise<boolean>;
  /** Returns the optional dependencies that are currently unavailable. */
  degraded: () => string[];
}

/**
 * Returns the response of `/health/ready`: whether the process is ready, and which optional dependencies are
 * unavailable.
 */
export async function readiness({ isReady, degraded }: Health): Promise<{ status: number; body: object }> {
  const ready = await isReady();
  const missing = degraded();
  const body = {
    status: ready ? 'ready' : 'unavailable',
    ...(missing.length > 0 ? { degraded: missing } : {}),
  };
  return { status: ready ? 200 : 503, body };
}

/**
 * Returns the health pages. `/health/live` reports that the process runs; for `/health/ready` see {@link readiness}.
 */
export function healthRoutes(health: Health): Page[] {
  return [
    {
      path: '/health/live',
      add: (app) => app.get('/health/live', async () => ({ status: 'live' })),
    },
    {
      path: '/health/ready',
      add: (app) =>
        app.get('/health/ready', async (_request, reply) => {
          const { status, body } = await readiness(health);
          return reply.code(status).send(body);
        }),
    },
  ];
}

export const upgradeRequired = failure(
  426,
  'UPGRADE_REQUIRED',
  'This is a WebSocket: connect to it with ws or wss',
);

/** Returns the page that responds to plain HTTP requests at the live channel's path. */
export const livePage = (): Page => ({
  path: '/v1/live',
  add: (app) =>
    app.get('/v1/live', async (_request, reply) => {
      reply.headers({ connection: 'upgrade', upgrade: 'websocket' });
      throw upgradeRequired();
    }),
});

export const metricsPage = (metrics: Metrics): Page => ({
  path: '/metrics',
  add: (app) =>
    app.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    ),
});

const HOME_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/**
 * Returns the page at the root, for people who open the address in a browser.
 * @param sandboxUrl base URL of the sandbox's external systems, in development
 */
export function homePage(sandboxUrl: string | undefined): Page {
  const links = [
    ['/reference', 'Reference', 'all operations, to read and to try; starts with a getting-started guide'],
    ['/reference/live', 'Reference of the live channel', 'all commands and messages of the WebSocket'],
    ['/openapi.json', 'OpenAPI description', 'for client generators'],
    ['/asyncapi.json', 'AsyncAPI description', 'the machine-readable description of the live channel'],
    ['/health/ready', 'Health', 'whether the platform is ready'],
    ...(sandboxUrl ? [[sandboxUrl, 'Sandbox', 'local stand-ins for external systems, in development']] : []),
  ] as [string, string, string][];
  const items = links.map(
    ([href, name, about]) => `<li><a href="${escapeHtml(href)}">${name}</a>: ${about}</li>`,
  );
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Platform API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${escapeHtml(ICON)}">
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style></head>
<body><h1>Platform API</h1><p>The backend platform of paid trading-education communities.</p>
<ul>${items.join('\n')}</ul></body></html>
`;
  return {
    path: '/',
    add: (app) =>
      app.get('/', async (_request, reply) =>
        reply.type('text/html; charset=utf-8').header('content-security-policy', HOME_POLICY).send(text),
      ),
  };
}

/** Returns the pages of the API's description at `/openapi.json` and its interactive reference at `/reference`. */
export const documentationPages = (describe: () => object): Page[] => [
  documentPage('/openapi.json', () => JSON.stringify(describe()), 'application/json; charset=utf-8'),
  { path: '/reference', add: addReference },
];

/** Returns the pages of the live channel's description at `/asyncapi.json` and its reference at `/reference/live`. */
export const liveDocumentationPages = (describe: () => Json): Page[] => [
  documentPage('/asyncapi.json', () => JSON.stringify(describe()), 'application/json; charset=utf-8'),
  documentPage('/reference/live', () => livePageOf(describe()), 'text/html; charset=utf-8', {
    'content-security-policy': HOME_POLICY,
  }),
];

/** Returns a page with a fixed text, written at the first request, which clients revalidate by ETag. */
function documentPage(
  path: string,
  write: () => string,
  type: string,
  headers: Record<string, string> = {},
): Page {
  const document = lazy(() => {
    const text = write();
    // Weak, because it identifies the text regardless of compression.
    return { text, tag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
  });
  return {
    path,
    add: (app) =>
      app.get(path, async (request, reply) => {
        const { text, tag } = document();
        reply.headers({ ...headers, etag: tag, 'cache-control': 'no-cache' });
        if (names(request.headers['if-none-match'], tag)) return reply.code(304).send();
        return reply.type(type).send(text);
      }),
  };
}

/** Whether an `If-None-Match` names this entity, compared weakly (RFC 9110, 13.1.2). */
function names(header = '', tag: string): boolean {
  const opaque = (one: string) => one.trim().replace(/^W\//, '');
  return header.split(',').some((one) => one.trim() === '*' || opaque(one) === opaque(tag));
}

/**
 * Serves the reference from a server of its own, which is made at the first request: the library weighs four megabytes,
 * and a start need not wait for it.
 */
function addReference(app: FastifyInstance): void {
  const inner = lazy(async () => {
    const server = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
    const { default: scalar } = await import('@scalar/fastify-api-reference');
    await server.register(scalar, { routePrefix: '/reference', configuration: REFERENCE });
    return server;
  });
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode, headers, rawPayload } = await (await inner()).inject({ url: request.url });
    if (statusCode === 404) return reply.callNotFound();
    if (headers.location) return reply.redirect(String(headers.location), statusCode);
    return reply
      .code(statusCode)
      .header('content-type', headers['content-type'])
      .header('content-security-policy', REFERENCE_POLICY)
      .header('cache-control', 'no-cache')
      .send(rawPayload);
  };
  app.get('/reference', serve);
  app.get('/reference/*', serve);
}

const REFERENCE = {
  url: '/openapi.json',
  title: 'Platform API',
  favicon: ICON,
  showDeveloperTools: 'never' as const,
  authentication: { preferredSecurityScheme: [['apiKey', 'bearer']] },
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
};
