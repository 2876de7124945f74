import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectChanged, StorageFault } from './port.ts';
import { encoded, requestSigner, type SigningKey } from './signing.ts';

interface ObjectRequestsOptions extends SigningKey {
  endpoint: string;
  publicEndpoint: string;
  bucket: string;
  attempts: number;
  connectTimeoutMs: number;
  idleTimeoutMs: number;
  maxSockets: number;
}

interface ObjectRequest {
  method: 'GET' | 'HEAD';
  key: string;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Whether a missing object must be reported in the form of S3: a proxy or a portal answers 404 as well. */
  needsCode?: boolean;
}

/** The requested range begins beyond the end of the object. */
export class RangeNotSatisfiable extends Error {}

const MAX_ERROR_BYTES = 64 * 1024;
const FIRST_PAUSE_MS = 100;
/** A larger difference between our clock and the service's makes it reject signatures. */
const MAX_SKEW_MS = 4 * 60_000;

/** Reads objects by plain requests over persistent connections, and presigns downloads. */
export function objectRequests(options: ObjectRequestsOptions) {
  const { attempts, maxSockets, idleTimeoutMs, connectTimeoutMs } = options;
  const inside = new URL(options.endpoint);
  const outside = new URL(options.publicEndpoint);
  const isSecure = inside.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets, timeout: idleTimeoutMs };
  const agent = isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const send = isSecure ? httpsRequest : httpRequest;
  const signer = requestSigner(options);
  /** The service's clock minus ours, measured when the service rejects a signature because of the time. */
  let skewMs = 0;

  const pathOf = ({ pathname }: URL, key: string): string =>
    [pathname.replace(/\/+$/, ''), options.bucket, ...key.split('/').map(encoded)].join('/');

  /** Sends the request once; resolves when the response begins. */
  function attempt({ method, key, headers = {}, signal }: ObjectRequest): Promise<IncomingMessage> {
    const path = pathOf(inside, key);
    const at = new Date(Date.now() + skewMs);
    return new Promise((resolve, reject) => {
      const sent = send({
        agent,
        method,
        path,
        hostname: inside.hostname.replace(/^\[|\]$/g, ''),
        port: inside.port || undefined,
        headers: { ...headers, ...signer.headersFor({ method, host: inside.host, path }, at) },
        signal,
      });
      let connecting: NodeJS.Timeout | undefined;
      sent.once('socket', (socket) => {
        if (!socket.connecting) return;
        connecting = setTimeout(() => sent.destroy(new Error('no connection in time')), connectTimeoutMs);
        socket.once('connect', () => clearTimeout(connecting));
      });
      sent.once('close', () => clearTimeout(connecting));
      sent.on('timeout', () => sent.destroy(new Error(`nothing received for ${idleTimeoutMs} ms`)));
      sent.on('error', reject);
      sent.once('response', resolve);
      sent.end();
    });
  }

  /**
   * Returns the response, undefined when there is no such object, or a fault that another attempt may overcome.
   * @throws failures that a retry would not overcome
   */
  async function judge(
    response: IncomingMessage,
    { method, key, needsCode = false }: ObjectRequest,
  ): Promise<IncomingMessage | StorageFault | undefined> {
    const status = response.statusCode ?? 0;
    if (status === 200 || status === 206) return response;
    const code = await codeOf(response, method, idleTimeoutMs);
    const message = `${key}: ${status} ${code}`;
    if (status === 404 && (needsCode ? code === 'NoSuchKey' : code !== 'NoSuchBucket')) return undefined;
    if (status === 412) throw new ObjectChanged(message);
    if (status === 416) throw new RangeNotSatisfiable(message);
    if (status === 429 || status >= 500) return new StorageFault(message);
    const serverSkewMs = skewOf(response);
    if (status !== 403 || Math.abs(serverSkewMs - skewMs) <= MAX_SKEW_MS) throw new StorageFault(message);
    skewMs = serverSkewMs;
    return new StorageFault(message);
  }

  return {
    /**
     * Returns the response; undefined when there is no such object.
     * @throws RangeNotSatisfiable, ObjectChanged when `If-Match` does not hold, StorageFault, the signal's reason
     */
    async send(request: ObjectRequest): Promise<IncomingMessage | undefined> {
      for (let tried = 1; ; tried++) {
        const outcome = await attempt(request).then(
          (response) => judge(response, request),
          (error: Error) => new StorageFault(error.message, { cause: error }),
        );
        request.signal?.throwIfAborted();
        if (!(outcome instanceof StorageFault)) return outcome;
        if (tried >= attempts) throw outcome;
        const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
        await sleep(pauseMs, undefined, { signal: request.signal });
      }
    },

    /** Returns a URL at which a client may download the object. */
    presign(
      key: string,
      signed: { at: Date; expiresInSeconds: number; more?: Record<string, string> },
    ): string {
      const path = pathOf(outside, key);
      return `${outside.origin}${path}?${signer.queryFor({ method: 'GET', host: outside.host, path }, signed)}`;
    },

    close: () => agent.destroy(),
  };
}

export type ObjectRequests = ReturnType<typeof objectRequests>;

const skewOf = ({ headers }: IncomingMessage): number => {
  const dateMs = Date.parse(headers.date ?? '');
  return Number.isNaN(dateMs) ? 0 : dateMs - Date.now();
};

/** Returns the code of an error document, which is read to its end unless it is longer than any, or takes too long. */
async function codeOf(response: IncomingMessage, method: string, withinMs: number): Promise<string> {
  let text = '';
  const late = new StorageFault(`the answer did not end within ${withinMs} ms`);
  const timer = setTimeout(() => response.destroy(late), withinMs);
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length >= MAX_ERROR_BYTES) break;
    }
  } finally {
    clearTimeout(timer);
  }
  return method === 'HEAD' ? '' : (/<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? '');
}
