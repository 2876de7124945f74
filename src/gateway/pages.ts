import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import type { ServerNeeds } from './http/server.ts';
import type { Metrics } from './metrics.ts';

type Page = ServerNeeds['pages'][number];

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

/** How the process is. */
export interface Health {
  isReady: () => Promise<boolean>;
  /** What it stands on and could do without, and is away. */
  missing: () => string[];
}

/** Answers `/health/ready`: whether the process can do its work, and which parts it does without just now. */
export async function readiness({ isReady, missing }: Health): Promise<{ status: number; body: object }> {
  const ready = await isReady();
  const body = {
    status: ready ? 'ready' : 'unavailable',
    ...(missing().length > 0 ? { degraded: missing() } : {}),
  };
  return { status: ready ? 200 : 503, body };
}

/** `/health/live` says that the process runs; for `/health/ready` see {@link readiness}. */
export function healthPages(health: Health): Page[] {
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
