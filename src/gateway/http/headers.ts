import type { IncomingMessage } from 'node:http';

/** Returns the headers of every response: a response of an API is never framed, sniffed, cached or run as a page. */
export function securityHeaders(isProduction: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(isProduction ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'Idempotent-Replayed',
  'Location',
  'Allow',
  'Deprecation',
  'Link',
  'Content-Range',
].join(', ');

const ALLOWED = [
  'Authorization',
  'Content-Type',
  'X-API-Key',
  'Idempotency-Key',
  'X-Request-Id',
  'X-Internal-API-Key',
  'traceparent',
  'Range',
  'If-Range',
  'If-None-Match',
].join(', ');

/**
 * Returns the CORS rules: any origin in development, listed ones otherwise; never with cookies, which we do not use.
 * @param origins undefined allows any
 */
export function corsHeaders(origins: string[] | undefined) {
  return (origin: string | undefined, preflightMethods?: string[]): Record<string, string> => {
    if (origin === undefined) return {};
    if (origins !== undefined && !origins.includes(origin)) return { vary: 'Origin' };
    return {
      'access-control-allow-origin': origins === undefined ? '*' : origin,
      'access-control-expose-headers': EXPOSED,
      ...(origins === undefined ? {} : { vary: 'Origin' }),
      ...(preflightMethods === undefined
        ? {}
        : {
            'access-control-allow-methods': preflightMethods.join(', '),
            'access-control-allow-headers': ALLOWED,
            'access-control-max-age': '600',
          }),
    };
  };
}

/**
 * Whether the request names its host exactly once (RFC 9112, 3.2). Two names are refused, because a proxy and this
 * server might each use a different one. Before HTTP/1.1 the header may be missing.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
}
