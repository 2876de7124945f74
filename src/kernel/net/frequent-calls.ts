import { globalAgent, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Exchange, tooLarge } from './outbound.ts';

/** How long a connection waits for another request, as with `fetch`: shorter than servers usually keep it open. */
const IDLE_MS = 4_000;

/** Named as the error of `fetch`, so that spans tell of it in the same way. */
class NoAnswer extends Error {
  override readonly name = 'TimeoutError';
}

/** The error of a host that accepts a connection at none of its addresses, which has a code but no message of its own. */
const ofEachAddress = (error: AggregateError): Error =>
  Object.assign(error, { message: error.errors.map(({ message }) => message).join(', ') });

/**
 * Returns an exchange for systems that are called by the thousand: it takes half of the CPU of `fetch`. Connections persist,
 * and there are as many as requests at once. Asks for responses that are not compressed.
 */
export function frequentCalls(): Exchange {
  // A proxy that Node was told to use, as `fetch` uses it.
  const { proxyEnv } = (globalAgent as HttpAgent & { options: { proxyEnv?: NodeJS.ProcessEnv } }).options;
  const options = { keepAlive: true, timeout: IDLE_MS, proxyEnv };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };

  return (url, { method, headers, body, timeoutMs, maxBytes }) =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const agent = isSecure ? agents.https : agents.http;
      const sent = { 'accept-encoding': 'identity', ...headers };
      const request = (isSecure ? httpsRequest : httpRequest)(url, { method, headers: sent, agent });
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(error instanceof AggregateError ? ofEachAddress(error) : error);
        request.destroy();
      };
      const timer = setTimeout(() => fail(new NoAnswer(`no answer within ${timeoutMs} ms`)), timeoutMs);
      request.on('error', fail);
      // Otherwise Node would wait for a consumer of the upgraded connection.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        fail(new Error('answered with an upgrade'));
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxBytes) fail(tooLarge(maxBytes));
          else chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          const { statusCode: status = 0, headers } = response;
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status, retryAfter: headers['retry-after'] ?? null, text });
        });
      });
      request.end(body);
    });
}
