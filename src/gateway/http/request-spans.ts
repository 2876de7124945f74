import type { FastifyReply, FastifyRequest } from 'fastify';
import { addOwnSpan } from '../../kernel/spans.ts';
import { operationOf } from './requests.ts';

/** Adds the span of a request that has ended. It names the route and not the path, which may have secrets. */
export function addRequestSpan(request: FastifyRequest, reply: FastifyReply): void {
  const { trace, method, routeOptions, startedMs, refusal } = request;
  if (!trace) return;
  const route = routeOptions?.url;
  const isGone = !reply.raw.writableFinished;
  const status = reply.statusCode;
  const fault = status >= 500 ? (refusal?.code ?? String(status)) : undefined;
  addOwnSpan(trace, {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    beganMs: startedMs,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': isGone ? undefined : status,
      'platform.operation': operationOf(request)?.id,
      'platform.refusal': refusal?.code,
      'platform.database.statements': trace.databaseUse?.queries,
    },
    failure: isGone ? 'client_gone' : fault,
  });
}
