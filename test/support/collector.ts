import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** A span as a collector decodes it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string; doubleValue?: number } }[];
  status?: { code: number };
  links?: { traceId: string; spanId: string }[];
}

interface TraceRequest {
  resourceSpans: {
    resource: { attributes: ReceivedSpan['attributes'] };
    scopeSpans: { scope: { name: string }; spans: ReceivedSpan[] }[];
  }[];
}

/** Returns the values of attributes by their keys. */
export const valuesOf = (attributes: ReceivedSpan['attributes']): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  );

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Starts a collector that keeps what it receives, until the test file ends. `answer` may be replaced. */
export async function startCollector() {
  const collector = {
    url: '',
    /** What was sent, as text. */
    texts: [] as string[],
    spans: [] as ReceivedSpan[],
    resource: {} as Record<string, unknown>,
    headers: {} as IncomingMessage['headers'],
    answer: (response: ServerResponse): void => void response.end('{"partialSuccess":{}}'),
  };
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    collector.headers = request.headers;
    collector.texts.push(text);
    for (const { resource, scopeSpans } of (JSON.parse(text) as TraceRequest).resourceSpans) {
      collector.resource = valuesOf(resource.attributes);
      collector.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
    collector.answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}
