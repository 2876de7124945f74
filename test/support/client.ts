import { Agent, type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Operation, WireRequest } from '../../sdk/src/operation.ts';
import type { Accepted, Answer, Envelope, Refused } from './answer.ts';
import { ContractFault, violationOfAnswer } from './api-contract.ts';
import { untilAvailable } from './holding.ts';

export type { Answer };

interface RequestParts {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The arguments of an operation's request, which is optional if it has no required part. */
type Given<O extends Operation> =
  Record<never, never> extends WireRequest<O> ? [request?: WireRequest<O>] : [request: WireRequest<O>];

/** An HTTP client of the API with one set of credentials. */
export class Client {
  readonly url: string;
  readonly headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.url = url;
    this.headers = headers;
  }

  /** Returns a client with other or additional headers; undefined removes one. */
  with(headers: Record<string, string | undefined>): Client {
    const merged = Object.entries({ ...this.headers, ...headers }).filter(([, value]) => value !== undefined);
    return new Client(this.url, Object.fromEntries(merged) as Record<string, string>);
  }

  as(token: string): Client {
    return this.with({ authorization: `Bearer ${token}` });
  }

  /** Calls an operation. The test fails if it is refused. */
  async call<O extends Operation>(operation: O, ...given: Given<O>): Promise<Accepted<O>> {
    return acceptedOf(operation, await this.attempt(operation, ...given));
  }

  /** The same where requests contend for a lock; one that has waited for it too long is repeated. */
  async callPatiently<O extends Operation>(operation: O, ...given: Given<O>): Promise<Accepted<O>> {
    return acceptedOf(operation, await untilAvailable(() => this.attempt(operation, ...given)));
  }

  /** Calls an operation that may be refused. */
  async attempt<O extends Operation>(
    operation: O,
    ...[request]: Given<O>
  ): Promise<Accepted<O> | Refused<O>> {
    const { params, query, body } = (request ?? {}) as RequestParts;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${params?.[name]}`));
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) search.set(name, String(value));
    const answer = await this.raw(operation.method, search.size > 0 ? `${path}?${search}` : path, body);
    // `sendText` has checked the response against the description.
    return answer as Accepted<O> | Refused<O>;
  }

  /**
   * Sends requests that the types of operations forbid, such as malformed bodies, or that are computed from
   * descriptions. Tests that read the data of a response use `call` or `attempt`.
   */
  raw(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.sendText(method, path, body === undefined ? undefined : JSON.stringify(body));
  }

  /**
   * Sends a body unchanged, with the content type of the headers. A response that violates the OpenAPI description
   * fails the test.
   */
  async sendText(method: string, path: string, text?: string): Promise<Answer> {
    const response = await exchange(
      this.url + path,
      method,
      { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...this.headers },
      text,
    );
    const received = await textOf(response);
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(response.headersDistinct)) {
      for (const value of values) headers.append(name, value);
    }
    const isJson = headers.get('content-type')?.includes('json') && received !== '';
    const body = (isJson ? JSON.parse(received) : received) as Envelope;
    const status = response.statusCode as number;
    const answer = { status, headers, body, data: isJson ? body.data : undefined };
    const misfit = violationOfAnswer(method, path, answer);
    if (misfit) throw new ContractFault(`${method} ${path}: ${misfit}`);
    return answer;
  }
}

/** @throws when the operation was refused */
function acceptedOf<O extends Operation>(operation: O, answer: Accepted<O> | Refused<O>): Accepted<O> {
  if (answer.status < 400) return answer as Accepted<O>;
  const { status, error, message } = (answer as Refused<O>).body;
  throw new Error(`${operation.id} was refused: ${status} ${error} ${message}`);
}

const agent = new Agent({ keepAlive: true });

/** Closes the connections that clients keep open, which a server closes too while this process computes for long. */
export const closeConnections = (): void => agent.destroy();

/**
 * Sends a request and returns the response once its headers have arrived. `fetch` would take more than twice the CPU.
 */
function exchange(
  url: string,
  method: string,
  headers: Record<string, string>,
  text: string | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    request(url, { method, headers: { ...headers, ...length }, agent }, resolve)
      .on('error', reject)
      .end(text);
  });
}

/** Runs work `count` times, at most `lanes` at once: thousands of connections at once would only test the client. */
export async function inLanes<T>(
  count: number,
  lanes: number,
  work: (number: number, lane: number) => Promise<T>,
): Promise<T[]> {
  const done: T[] = [];
  let next = 0;
  const run = async (_: unknown, lane: number) => {
    for (let number = next++; number < count; number = next++) done[number] = await work(number, lane);
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return done;
}

let counter = 0;

/** Returns an e-mail address that is unique in this test file. */
export const newEmail = (): string => `member${++counter}.${Date.now()}@example.com`;

export const PASSWORD = 'a password for tests';
