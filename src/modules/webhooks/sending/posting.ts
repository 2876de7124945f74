import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import {
  ForbiddenAddress,
  type PublicResolver,
  type Resolved,
} from '../../../kernel/net/public-addresses.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';

/** Maximum number of simultaneous deliveries to an endpoint. */
export const AT_ONCE = 8;
const TIMEOUT_MS = 15 * SECOND_MS;
const MAX_READ = 64 * 1024;
const MAX_KEPT = 2 * 1024;

/** A delivery ready to be sent. */
export interface Parcel {
  url: string;
  id: string;
  body: string;
  secrets: Buffer[];
  isReplay: boolean;
}

/** The result of sending: a response, or an error without one. */
export interface Received {
  status: number | null;
  ms: number;
  body: string;
  retryAfter: string | undefined;
  error: string | null;
}

/** Returns the signatures of Standard Webhooks. */
const signatureOf = (id: string, seconds: number, body: string, secrets: Buffer[]): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ');

/** Returns a text that PostgreSQL can store. */
const kept = (chunks: Buffer[]): string =>
  Buffer.concat(chunks).subarray(0, MAX_KEPT).toString('utf8').replaceAll('\u0000', '\ufffd');

interface PostingDeps {
  resolver: PublicResolver;
  userAgent: string;
  nowMs: () => number;
}

/**
 * Sends parcels to one endpoint over persistent connections. Each connection goes to an address that was checked
 * when its name was resolved.
 */
export function poster({ resolver, userAgent, nowMs }: PostingDeps) {
  let resolving: { host: string; found: Promise<Resolved[]> } | undefined;
  /**
   * Connections that are opened at the same time share a look-up, because a hanging resolver would occupy all
   * threads of the process.
   */
  const resolve = (host: string): Promise<Resolved[]> => {
    if (resolving?.host === host) return resolving.found;
    const current = { host, found: resolver.resolve(host) };
    resolving = current;
    const end = (): void => {
      if (resolving === current) resolving = undefined;
    };
    current.found.then(end, end);
    return current.found;
  };
  const lookup: LookupFunction = (host, options, done) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (options.all) done(null, found);
        else done(null, first?.address ?? '', first?.family);
      },
      (error) => done(error, '', 0),
    );
  };
  const options = { keepAlive: true, maxSockets: AT_ONCE, maxFreeSockets: AT_ONCE, lookup };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };

  /** Connections that have carried a request; `reusedSocket` leaves out those that a waiting request takes over. */
  const used = new WeakSet<Socket>();

  /** @param settle is called once */
  function exchange(parcel: Parcel, settle: (received: Omit<Received, 'ms'>) => void): void {
    const url = new URL(parcel.url);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) && !resolver.isAllowed(host)) throw new ForbiddenAddress('the address is not public');
    const isSecure = url.protocol === 'https:';
    const seconds = Math.floor(nowMs() / SECOND_MS);
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: isSecure ? agents.https : agents.http,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(parcel.body),
        'user-agent': userAgent,
        'webhook-id': parcel.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(parcel.id, seconds, parcel.body, parcel.secrets),
        ...(parcel.isReplay && { 'webhook-replay': 'true' }),
      },
    });
    let answered: IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    let isOver = false;
    const end = (error: string | null): void => {
      isOver = true;
      clearTimeout(timer);
      const status = answered?.statusCode ?? null;
      const retryAfter = answered?.headers['retry-after'];
      settle({ status, body: kept(chunks), retryAfter, error: status === null ? error : null });
    };
    const timer = setTimeout(() => {
      end(`no answer within ${TIMEOUT_MS / SECOND_MS} seconds`);
      request.destroy();
    }, TIMEOUT_MS);
    let isReused = false;
    request.on('socket', (socket) => {
      isReused = used.has(socket);
      used.add(socket);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The receiver closed a persistent connection, as it may at any time. Each repetition uses up one of these.
      if (isReused && error.code === 'ECONNRESET' && !answered && !isOver) {
        clearTimeout(timer);
        exchange(parcel, settle);
      } else end(error.code ?? error.message);
    });
    // Otherwise Node would wait for a consumer of the upgraded connection.
    request.on('upgrade', (response, socket) => {
      answered = response;
      end(null);
      socket.destroy();
    });
    request.on('response', (response) => {
      answered = response;
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        if (size < MAX_KEPT) chunks.push(chunk);
        size += chunk.length;
        if (size <= MAX_READ) return;
        end(null);
        request.destroy();
      });
      response.on('end', () => end(null));
      response.on('error', () => end(null));
    });
    request.end(parcel.body);
  }

  return {
    send: (parcel: Parcel): Promise<Received> => {
      const startedMs = performance.now();
      const took = () => Math.round(performance.now() - startedMs);
      return new Promise((resolve) => {
        try {
          exchange(parcel, (received) => resolve({ ...received, ms: took() }));
        } catch (error) {
          const { message } = error as Error;
          resolve({ status: null, ms: took(), body: '', retryAfter: undefined, error: message });
        }
      });
    },
    close: (): void => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

export type Poster = ReturnType<typeof poster>;
