import { setTimeout as sleep } from 'node:timers/promises';
import { beginSpan, failureOf } from '../spans.ts';
import { parseStorable } from '../text/safe-text.ts';
import { SECOND_MS } from '../time/time.ts';
import { currentTraceparent } from '../trace.ts';

interface OutboundOptions {
  /** An http(s) URL. Paths are resolved against it; the client never reaches another origin. */
  baseUrl: string;
  headers?: Record<string, string>;
  /** Timeout of one attempt. */
  timeoutMs?: number;
  /** Maximum number of retries, for idempotent requests only. */
  retries?: number;
  /** The pause before the first retry; doubles for each further one, with jitter. */
  pauseMs?: number;
  /** How requests are sent; by default with `fetch`. */
  exchange?: Exchange;
}

/**
 * Sends a request and reads the response, without following redirects.
 * @throws ExternalFault when the body exceeds the limit; other errors when there is no response
 */
export type Exchange = (url: URL, request: Sending) => Promise<Answered>;

interface Sending {
  method: string;
  headers: Record<string, string>;
  body: string | Buffer<ArrayBuffer> | undefined;
  /** Until the last byte of the response. */
  timeoutMs: number;
  maxBytes: number;
}

interface Answered {
  status: number;
  /** The value of the header. */
  retryAfter: string | null;
  text: string;
}

interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, or an absolute URL of the same origin; other origins are rejected. */
  path: string;
  body?: unknown;
  /** Fields to send as a form instead of a JSON body. */
  form?: Record<string, string>;
  /** Bytes to send unchanged. */
  bytes?: Buffer;
  /** How to read the body of the response; `nothing` ignores it, `text` returns it unparsed. */
  answers?: 'json' | 'text' | 'nothing';
  headers?: Record<string, string>;
  /** Whether sending it twice has the effect of sending it once; by default true for GET, PUT and DELETE. */
  idempotent?: boolean;
}

export interface OutboundResponse {
  status: number;
  /** The JSON body; undefined when it is empty. */
  body: unknown;
}

interface FaultDetails {
  cause?: unknown;
  status?: number;
  retryAfterMs?: number;
  wasSent?: boolean;
}

/** An external system could not be reached, or responded with a 429, a redirect, a 5xx or invalid JSON. */
export class ExternalFault extends Error {
  override readonly name = 'ExternalFault';
  /** The status of its response; undefined without one. */
  readonly status: number | undefined;
  /** The wait that its `Retry-After` header requests. */
  readonly retryAfterMs: number | undefined;
  /** False only when the request certainly did not reach the system. */
  readonly wasSent: boolean;

  constructor(message: string, { cause, status, retryAfterMs, wasSent = true }: FaultDetails = {}) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.wasSent = wasSent;
  }
}

const MAX_BYTES = 1024 * 1024;
const MAX_PAUSE_MS = 10_000;

/**
 * Returns a client that calls one external system over HTTP with JSON: each attempt has a timeout, retries are bounded
 * and have jittered pauses, redirects are not followed, and response sizes are limited. 4xx are responses, not faults:
 * the caller decides.
 * @throws ExternalFault
 */
export function outboundClient({
  baseUrl,
  headers,
  timeoutMs = 5000,
  retries = 2,
  pauseMs = 100,
  exchange = exchangeByFetch,
}: OutboundOptions) {
  const base = new URL(baseUrl);
  if (base.protocol !== 'https:' && base.protocol !== 'http:')
    throw new Error(`an outbound client needs an http(s) URL, not ${base.protocol}`);

  /** Makes one attempt, within a span of its own if the trace is recorded. */
  async function attempt(request: OutboundRequest): Promise<OutboundResponse> {
    const span = beginSpan(request.method, 'client');
    if (!span) return send(request, currentTraceparent());
    const attributes = { 'http.request.method': request.method, 'server.address': base.hostname };
    try {
      const response = await send(request, span.traceparent);
      span.end({ attributes: { ...attributes, 'http.response.status_code': response.status } });
      return response;
    } catch (error) {
      const { status } = error instanceof Retry || error instanceof ExternalFault ? error : {};
      const failure = status === undefined ? failureOf((error as Error).cause ?? error) : String(status);
      span.end({ attributes: { ...attributes, 'http.response.status_code': status }, failure });
      throw error;
    }
  }

  async function send(request: OutboundRequest, traceparent: string | undefined): Promise<OutboundResponse> {
    const { status, retryAfter, text } = await exchange(addressWithin(base, request.path), {
      method: request.method,
      headers: {
        ...(traceparent && { traceparent }),
        accept: 'application/json',
        'content-type': contentTypeOf(request),
        ...headers,
        ...request.headers,
      },
      body: bodyOf(request),
      timeoutMs,
      maxBytes: MAX_BYTES,
    });
    if (status >= 500 || status === 429) throw new Retry(status, retryAfter);
    if (status >= 300 && status < 400) throw new ExternalFault('answered with a redirect', { status });
    return { status, body: readAs(request.answers ?? 'json', text, status) };
  }

  return async function call(request: OutboundRequest): Promise<OutboundResponse> {
    const idempotent = request.idempotent ?? ['GET', 'PUT', 'DELETE'].includes(request.method);
    for (let retry = 0; ; retry++) {
      try {
        return await attempt(request);
      } catch (error) {
        if (error instanceof ExternalFault) throw error;
        if (!idempotent || retry >= retries) throw faultOf(request, error as Error);
        const requestedMs = error instanceof Retry ? (error.afterMs ?? 0) : 0;
        const pause = Math.min(MAX_PAUSE_MS, Math.max(requestedMs, pauseMs * 2 ** retry));
        await sleep(pause * (0.5 + Math.random() / 2));
      }
    }
  };
}

/**
 * Resolves a path as `fetch` does and rejects other origins: `//host`, `/\\host`, other schemes, other ports. Checks
 * the resolved URL rather than the text, which has too many spellings.
 */
function addressWithin(base: URL, path: string): URL {
  const address = URL.canParse(path, base.href) ? new URL(path, base) : undefined;
  // Compares the scheme separately, because the origin of a `blob:` URL is that of the URL it contains.
  const isWithin = address?.protocol === base.protocol && address.host === base.host;
  if (!isWithin || address.username !== base.username || address.password !== base.password)
    throw new ExternalFault('the request would have gone to another origin, and was not sent');
  return address;
}

function contentTypeOf({ form, bytes }: OutboundRequest): string {
  if (form) return 'application/x-www-form-urlencoded';
  return bytes ? 'application/octet-stream' : 'application/json';
}

function bodyOf({ body, form, bytes }: OutboundRequest): string | Buffer<ArrayBuffer> | undefined {
  if (bytes) return bytes as Buffer<ArrayBuffer>;
  if (form) return new URLSearchParams(form).toString();
  return body === undefined ? undefined : JSON.stringify(body);
}

/** Errors of a connection that fails before a request can be sent. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** `fetch` wraps the error of the connection. */
const isUnsent = (error: Error): boolean =>
  UNSENT.has(String(((error.cause ?? error) as { code?: unknown }).code));

/**
 * Returns what of a path may be in messages, which are logged and shown: a query has addresses and names of members, and an
 * absolute URL may be one by which anyone can push to a browser.
 */
const withoutSecrets = (path: string): string =>
  URL.canParse(path) ? new URL(path).origin : (path.split('?', 1)[0] as string);

function faultOf({ method, path }: OutboundRequest, error: Error): ExternalFault {
  const { status, afterMs } = error instanceof Retry ? error : {};
  return new ExternalFault(`${method} ${withoutSecrets(path)}: ${error.message}`, {
    cause: error,
    status,
    retryAfterMs: afterMs,
    wasSent: !isUnsent(error),
  });
}

class Retry extends Error {
  readonly status: number;
  readonly afterMs: number | undefined;
  constructor(status: number, retryAfter: string | null) {
    super(`answered ${status}`);
    this.status = status;
    this.afterMs = retryAfterOf(retryAfter);
  }
}

/**
 * Returns the wait in milliseconds that a `Retry-After` header requests, in seconds or as a date; undefined without a
 * valid one.
 */
function retryAfterOf(text: string | null): number | undefined {
  const seconds = text === null || text.trim() === '' ? Number.NaN : Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text ?? '') - Date.now() : seconds * SECOND_MS;
  return ms > 0 ? ms : undefined;
}

function readAs(kind: 'json' | 'text' | 'nothing', text: string, status: number): unknown {
  if (kind === 'json') return parse(text, status);
  return kind === 'text' ? text : undefined;
}

function parse(text: string, status: number): unknown {
  if (text === '') return undefined;
  try {
    return parseStorable(text);
  } catch {
    throw new ExternalFault('the response is not JSON', { status });
  }
}

const exchangeByFetch: Exchange = async (url, { method, headers, body, timeoutMs, maxBytes }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method, headers, body, redirect: 'manual', signal });
  const text = await readAtMost(response, maxBytes);
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
};

/**
 * Like `fetch`, but reads the body before it resolves, so that the caller's signal covers the body too; for libraries
 * that would read a body of any size, or throw an error that nobody catches for JSON that is a text or a number. Redirects
 * are not followed.
 * @throws ExternalFault when the body exceeds the limit, or is neither empty nor an object or a list
 */
export async function fetchBounded(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const text = await readAtMost(response, MAX_BYTES);
  if (text !== '' && !/^\s*[[{]/.test(text))
    throw new ExternalFault('answered with something else than JSON');
  const { status, headers } = response;
  return new Response(text === '' ? null : text, { status, headers });
}

export const tooLarge = (most: number): ExternalFault =>
  new ExternalFault(`answered with more than ${most} bytes`);

async function readAtMost(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
