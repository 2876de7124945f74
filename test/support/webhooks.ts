import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookDeliveries,
  verifyWebhook,
} from '../../sdk/src/index.ts';
import type { Client } from './client.ts';

/** What came to a receiver. */
export interface Got {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; sequence: number; data: Record<string, unknown> };
}
type Answer = (got: Got, response: ServerResponse) => void;

/** Starts a receiver that answers 204 until it is told otherwise. */
export async function receiver() {
  const got: Got[] = [];
  const now: { answer: Answer; underWay: number; most: number } = {
    answer: (_got, response) => void response.writeHead(204).end(),
    underWay: 0,
    most: 0,
  };
  const server = createServer(async (request, response) => {
    now.underWay++;
    now.most = Math.max(now.most, now.underWay);
    response.on('close', () => now.underWay--);
    // One that was cut off with its sender is no request.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const one = { headers: request.headers, body, event: JSON.parse(body) };
    got.push(one);
    now.answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, got, now };
}

/**
 * Starts a receiver that verifies and counts: what came first under each number, and whatever came again in another
 * shape than before.
 */
export async function countingReceiver() {
  let secret = '';
  const bodies = new Map<number, string>();
  const [inOrder, faults]: [Got['event'][], string[]] = [[], []];
  const { url, got, now } = await receiver();
  now.answer = async ({ headers, body, event }, response) => {
    const before = bodies.get(event.sequence);
    bodies.set(event.sequence, body);
    if (before === undefined) inOrder.push(event);
    try {
      assert.equal(body, before ?? body);
      assert.equal(headers['webhook-id'], event.id);
      await verifyWebhook(body, headers as Record<string, string>, secret);
      response.writeHead(204).end();
    } catch (error) {
      faults.push(String(error));
      response.writeHead(400).end();
    }
  };
  return {
    url,
    /** Everything that came. */
    got,
    /** What came, without repetitions, in the order in which it first came. */
    inOrder,
    /** What was not signed, or differed from what came before under the same number. */
    faults,
    verifyBy: (given: string): void => {
      secret = given;
    },
  };
}

interface EndpointDraft {
  /** Where no receiver is that answers as HTTP says. */
  url?: string;
  types?: string[];
  ordered?: boolean;
  enabled?: boolean;
}

/** Registers an endpoint for a test, at a receiver of its own. @param admin returns the present administrator */
export const endpointsOf =
  (admin: () => Client) =>
  async (draft: EndpointDraft = {}) => {
    const { url, got, now } = await receiver();
    const { data } = await admin().call(createWebhookEndpoint, { body: { url, ...draft } });
    const params = { id: data.id };
    const deliveries = async () =>
      (await admin().call(listWebhookDeliveries, { params, query: { limit: 100 } })).data;
    return {
      ...data,
      params,
      got,
      now,
      deliveries,
      read: async () => (await admin().call(getWebhookEndpoint, { params })).data,
      remove: () => admin().call(deleteWebhookEndpoint, { params }),
      newest: async () => {
        const [delivery] = await deliveries();
        return delivery as NonNullable<typeof delivery>;
      },
    };
  };
