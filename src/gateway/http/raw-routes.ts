import type { RawRoute, RawRouteRequest } from '../../kernel/operations/raw-routes.ts';
import type { Page } from './pages.ts';

/** Returns the page of a route outside the API. Only the common headers and rate limits of the gateway apply to it. */
export const rawPage = ({
  path,
  anyOrigin = false,
  allowanceOf,
  memberOf,
  failurePage,
  handle,
}: RawRoute): Page => ({
  path,
  anyOrigin,
  memberOf: ({ params }) => memberOf?.(params as Record<string, string>),
  failurePage,
  allowanceOf: ({ params }) => allowanceOf?.(params as Record<string, string>) ?? 'address',
  answer: async (request, reply) => {
    const method = request.method as RawRouteRequest['method'];
    const { status, headers, body, onSent } = await handle({
      method,
      params: request.params as Record<string, string>,
      header: (name) => String(request.headers[name] ?? ''),
    });
    if (onSent && reply.raw.closed) onSent();
    else if (onSent) reply.raw.once('close', onSent);
    reply.code(status).headers(headers);
    return reply.send(method === 'HEAD' ? undefined : body);
  },
});
