import { type Caller, createCaller, type Fetch, PlatformError } from '@platform-api/sdk';
import { type Administrators, adminOf } from '@platform-api/sdk/admin';
import { store } from './store.ts';

/**
 * The operations of administrators, and `call` for those of members, called by the cookie of the console in place of a key
 * and a token.
 */
export type Api = Administrators & Pick<Caller, 'call' | 'raw'>;

/** By how much the clock of the platform is ahead of this browser's, in milliseconds. */
let aheadMs = 0;

/** The time by the clock of the platform. */
export const now = (): number => Date.now() + aheadMs;

/** Counts the answers that said that the sign-in has ended. */
export const endings = store(0);

/** Counts what has been changed, so that whatever is shown is read again. */
export const writes = store(0);

/** When the platform last answered what a page shows. */
export const answeredAt = store<number | undefined>(undefined);

export const noteWrite = (): void => writes.set(writes.get() + 1);

/** Sends what a page of the console may send; `kind` says whether a person or a timer asks. */
async function send(kind: 'person' | 'poll', url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('x-api-key');
  headers.set('x-console', kind === 'poll' ? 'poll' : '1');
  const response = await fetch(url, { ...init, headers, credentials: 'same-origin' });
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) aheadMs = date - Date.now();
  return response;
}

const apiOf = (kind: 'person' | 'poll'): Api => {
  const fetchAs = async (url: string, init: RequestInit) => {
    const response = await send(kind, url, init);
    if (response.status === 401) endings.set(endings.get() + 1);
    return response;
  };
  const caller = createCaller({
    baseUrl: `${location.origin}/console/api`,
    apiKey: '',
    fetch: fetchAs as Fetch,
    retries: 2,
  });
  const { call, raw } = caller;
  return { ...adminOf(caller), call, raw };
};

/** For what a person asks. */
export const api = apiOf('person');
/** For what a page asks by itself from time to time, which does not count as use of the console. */
export const polling = apiOf('poll');

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
