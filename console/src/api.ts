import { type Caller, createCaller, type Fetch, PlatformError } from '@platform-api/sdk';
import { type Administrators, adminOf } from '@platform-api/sdk/admin';
import { store } from './store.ts';

/**
 * The operations of administrators, and `call` for those of members. Requests are authenticated by the console's cookie
 * instead of an API key and a token.
 */
export type Api = Administrators & Pick<Caller, 'call' | 'raw'>;

/** How far the platform's clock is ahead of this browser's, in milliseconds. */
let aheadMs = 0;

/** The current time by the platform's clock, in milliseconds since 1970. */
export const now = (): number => Date.now() + aheadMs;

/** How many responses were 401 because the sign-in had ended. Subscribers then ask the server who is signed in. */
export const sessionEndings = store(0);

/** How many writes were made. Queries subscribe to it and reload after each write. */
export const writes = store(0);

/** When the platform last answered a query of a page. */
export const answeredAt = store<number | undefined>(undefined);

export const noteWrite = (): void => writes.set(writes.get() + 1);

/** Sends a request with the console's cookie and header; `kind` says whether a person or a timer caused it. */
async function send(kind: 'person' | 'poll', url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('x-api-key');
  headers.set('x-console', kind === 'poll' ? 'poll' : '1');
  const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) aheadMs = date - Date.now();
  return response;
}

/** Whether a write only says what it would do, as pages ask before an action. */
const isDryRun = (request: unknown): boolean =>
  (request as { query?: { dryRun?: boolean } } | undefined)?.query?.dryRun === true;

/** `nextKey` is asked for the Idempotency-Key of each write that takes one. */
const apiOf = (kind: 'person' | 'poll', nextKey: () => string): Api => {
  const fetchAs = async (url: string, init: RequestInit) => {
    const response = await send(kind, url, init);
    if (response.status === 401) sessionEndings.set(sessionEndings.get() + 1);
    return response;
  };
  const caller = createCaller({
    baseUrl: `${location.origin}/console/api`,
    apiKey: '',
    fetch: fetchAs as Fetch,
    retries: 2,
  });
  const call = ((operation, request, options) =>
    caller.call(
      operation,
      request,
      operation.isIdempotent && !isDryRun(request) ? { ...options, idempotencyKey: nextKey() } : options,
    )) as Caller['call'];
  return { ...adminOf({ ...caller, call }), call, raw: caller.raw };
};

/**
 * The client of one attempt of an action. The same key in another attempt gives its writes the same Idempotency-Keys, so
 * that what the first attempt did is not done again.
 */
export function apiWithKey(key: string): Api {
  let writesSent = 0;
  return apiOf('person', () => {
    writesSent += 1;
    return writesSent === 1 ? key : `${key}-${writesSent}`;
  });
}

const keyless = (): never => {
  throw new Error('Actions write with the client that `run` is given');
};

/** For requests that a person causes. Writes that take an Idempotency-Key are those of actions: `apiWithKey`. */
export const api = apiOf('person', keyless);
/** For requests that a page repeats on a timer. They do not keep an idle operator signed in. */
export const polling = apiOf('poll', keyless);

/** Calls a route of the console itself, below `/console/session`. @throws PlatformError */
export async function callConsole<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await send('person', `/console/session${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  }).catch((cause) => {
    throw new PlatformError({
      message: 'The platform cannot be reached',
      kind: 'offline',
      code: 'OFFLINE',
      cause,
    });
  });
  const answer = await response.json().catch(() => {
    throw new PlatformError({ message: 'No answer', kind: 'unreadable', code: 'UNREADABLE_ANSWER' });
  });
  if (answer.success) return answer.data;
  throw new PlatformError({
    message: answer.message,
    kind: 'refused',
    code: answer.error,
    status: response.status,
    errorId: answer.errorId,
    retryAfter: answer.meta?.retryAfter,
  });
}
