import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A request that arrived at the receiver. */
export interface Received {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the response to all later requests; 204 by default. */
  answer(status: number, headers?: Record<string, string>): void;
  close(): void;
}

/** Whether an installation runs on this machine, so that it can reach a receiver here. */
export const isHere = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: { status: number; headers: Record<string, string> } = { status: 204, headers: {} };
  const server = createServer(async (request, response) => {
    const { method, headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ method, headers, text: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer: (status, headers = {}) => {
      answer = { status, headers };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the signature of a webhook under a secret, as Standard Webhooks computes it. */
export function signatureOf({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
