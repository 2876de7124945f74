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

/** A request that arrived at a receiver. */
export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; sequence: number; data: Record<string, unknown> };
}
type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** Starts a receiver that responds with 204 unless a test sets another response. */
export async function receiver() {
  const got: ReceivedRequest[] = [];
  const now: { answer: Answer; underWay: number; most: number } = {
    answer: (_got, response) => void response.writeHead(204).end(),
    underWay: 0,
    most: 0,
  };
  const server = createServer(async (request, response) => {
    now.underWay++;
    now.most = Math.max(now.most, now.underWay);
    response.on('close', () => now.underWay--);
    // An incomplete request, whose sender was killed, does not count.
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
 * Starts a receiver that verifies signatures, records the first request for each number, and reports repetitions that
 * differ from it.
 */
export async function countingReceiver() {
  let secret = '';
  const bodies = new Map<number, string>();
  const [inOrder, faults]: [ReceivedRequest['event'][], string[]] = [[], []];
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
    /** All requests. */
    got,
    /** The requests without repetitions, in the order of their first arrival. */
    inOrder,
    /** Requests with a wrong signature, or that differ from an earlier one with the same number. */
    faults,
    verifyBy: (given: string): void => {
      secret = given;
    },
  };
}

interface EndpointDraft {
  /** A URL to use instead of the receiver's, for servers that do not follow HTTP. */
  url?: string;
  types?: string[];
  ordered?: boolean;
  enabled?: boolean;
}

/** Registers an endpoint with a receiver of its own for a test. @param admin returns the current administrator */
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
