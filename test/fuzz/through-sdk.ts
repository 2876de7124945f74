import assert from 'node:assert/strict';
import { adminOf } from '../../sdk/src/admin.ts';
import type { Methods } from '../../sdk/src/facade.ts';
import { administrators } from '../../sdk/src/generated/administrators.ts';
import { members } from '../../sdk/src/generated/members.ts';
import * as emitted from '../../sdk/src/generated/operations/index.ts';
import { createClient, type Operation, PlatformError } from '../../sdk/src/index.ts';
import { type Answer, Client } from '../support/client.ts';
import { MAIL_LINKS } from '../support/mail-links.ts';
import type { Good } from './requests.ts';

const operations = new Map(Object.values(emitted).map((operation) => [operation.id, operation as Operation]));

/** The group and the name of the method that calls each operation; deprecated ones and those of machines have none. */
const methods = new Map(
  Object.entries({ members, administrators }).flatMap(([entry, groups]) =>
    Object.entries(groups as Record<string, Methods>).flatMap(([group, named]) =>
      Object.entries(named).map(([name, [{ id }, takes]]) => [id, { entry, group, name, takes }] as const),
    ),
  ),
);

/** The operations that a program calls through the SDK; not those of links in mails, whose pages are for people. */
export const ofSdk = [...operations.keys()].filter((id) => !MAIL_LINKS.includes(id));

const lowered = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Sends a request by the SDK's method for its operation. Returns the platform's response, and fails if the SDK has
 * altered it.
 */
export async function throughSdk({
  operation: { id },
  actor,
  headers,
  params,
  query,
  body,
}: Good): Promise<Answer> {
  const operation = operations.get(id) as Operation;
  const { 'x-api-key': apiKey, authorization, ...others } = actor.client.headers;
  let answer: Answer | undefined;
  const api = createClient({
    baseUrl: actor.client.url,
    // Without one the client cannot be made; the platform answers both in the same way.
    apiKey: apiKey ?? 'none',
    retries: 0,
    fetch: async (url, init) => {
      const { method, headers: own, body: text } = init as { method: string; headers: object; body?: string };
      const client = new Client(actor.client.url, { ...others, ...lowered(own) }).with(headers);
      const response = await client.sendText(method, url.slice(actor.client.url.length), text);
      // The SDK tries to refresh an expired token, and reports the first response when that is refused.
      answer ??= response;
      const { body: received, status } = response;
      const isText = typeof received === 'string';
      return {
        status,
        headers: response.headers,
        text: async () => (isText ? received : JSON.stringify(received)),
      };
    },
  });
  if (authorization) {
    const accessToken = authorization.replace('Bearer ', '');
    await api.session.write({ id, accessToken, refreshToken: 'none', receivedAt: Date.now() });
  }
  try {
    const result = await call(api, operation, { params, query: Object.fromEntries(query), body });
    assert.ok(answer && answer.status < 400, `the SDK says that ${id} has succeeded`);
    // Sign-ins store the tokens of the response, and do not change it.
    const isAsSent = !operation.around || operation.isOpen;
    if (isAsSent && !operation.read && !operation.pages) assert.deepEqual(result, answer.data);
  } catch (error) {
    if (!answer || !(error instanceof PlatformError)) throw error;
    assert.deepEqual([error.code, error.status], [answer.body.error, answer.status], id);
  }
  return answer;
}

type SdkClient = ReturnType<typeof createClient>;
type Method = (...args: unknown[]) => Promise<unknown>;

interface Parts {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
}

/** Calls its method where it has one. */
async function call(api: SdkClient, operation: Operation, request: Parts): Promise<unknown> {
  const place = methods.get(operation.id);
  if (!place) return api.call(operation, request);
  const { entry, group, name, takes } = place;
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one as string);
  const input = takes ? [request[takes]] : [];
  const groups: object = entry === 'administrators' ? adminOf(api) : api;
  const method = (groups as Record<string, Record<string, Method>>)[group]?.[name];
  return method?.(...names.map((one) => request.params[one]), ...input);
}
