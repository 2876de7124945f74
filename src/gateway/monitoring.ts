import { createServer, type Server, type ServerResponse } from 'node:http';
import { closeStalledClients } from './http/stalled-clients.ts';
import type { Metrics } from './metrics.ts';
import { type Health, readiness } from './pages/health.ts';

const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Returns a server of health and metrics on a separate port, for processes that serve no API, and for installations
 * whose API port is public.
 */
export function monitoringServer(health: Health, metrics: Metrics, stalledClientMs: number): Server {
  const answers: Record<string, (response: ServerResponse) => Promise<unknown>> = {
    '/health/live': async (response) => sendJson(response, 200, { status: 'live' }),
    '/health/ready': async (response) => {
      const { status, body } = await readiness(health);
      sendJson(response, status, body);
    },
    '/metrics': async (response) => {
      const text = await metrics.text();
      response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
    },
  };
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      const answer = answers[(request.url ?? '').split('?', 1)[0] as string];
      if (!answer) return sendJson(response, 404, { status: 'unknown', paths: Object.keys(answers) });
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return sendJson(response.setHeader('allow', 'GET, HEAD'), 405, { status: 'unknown' });
      answer(response).catch((error: Error) => {
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { status: 'failed', message: error.message });
      });
    },
  );
  closeStalledClients(server, stalledClientMs);
  return server;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
