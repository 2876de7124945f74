import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import type { Page } from './http/server.ts';
import type { Metrics } from './metrics.ts';

/** The reference is a page of ours that runs scripts of ours and calls this API; it needs nothing from elsewhere. */
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

/** A key, drawn here: the page asks for nothing elsewhere. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2563eb" stroke-width="2"><circle cx="5" cy="8" r="3"/><path d="M8 8h7m-3 0v3"/></svg>',
)}`;

/**
 * `/health/live` says that the process runs; `/health/ready` that it can do its work, and which parts of what it stands on
 * are away though it goes on.
 */
export function healthPages(isReady: () => Promise<boolean>, degraded: () => string[]): Page[] {
  return [
    {
      path: '/health/live',
      add: (app) => app.get('/health/live', async () => ({ status: 'live' })),
    },
    {
      path: '/health/ready',
      add: (app) =>
        app.get('/health/ready', async (_request, reply) => {
          const ready = await isReady();
          return reply.code(ready ? 200 : 503).send({
            status: ready ? 'ready' : 'unavailable',
            ...(degraded().length > 0 ? { degraded: degraded() } : {}),
          });
        }),
    },
  ];
}

export const metricsPage = (metrics: Metrics): Page => ({
  path: '/metrics',
  add: (app) =>
    app.get('/metrics', async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.text()),
    ),
});

/** The description at `/openapi.json` and an interactive reference of it at `/reference`. */
export function documentationPages(description: () => object): Page[] {
  return [
    {
      path: '/openapi.json',
      add: (app) => app.get('/openapi.json', async () => description()),
    },
    { path: '/reference', add: addReference },
  ];
}

function addReference(app: FastifyInstance): void {
  app.register(scalar, {
    routePrefix: '/reference',
    configuration: {
      url: '/openapi.json',
      title: 'Platform API',
      favicon: ICON,
      showDeveloperTools: 'never',
      authentication: { preferredSecurityScheme: [['apiKey', 'bearer']] },
      withDefaultFonts: false,
      hideClientButton: true,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    hooks: {
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', REFERENCE_POLICY).header('cache-control', 'no-cache');
        done();
      },
    },
  });
}
