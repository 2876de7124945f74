import { PlatformError } from './errors.ts';
import { refreshToken } from './generated/operations/sign-in.ts';
import { type Fetch, host, sleep } from './host.ts';
import type { Operation } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { fromWire, toWire } from './renaming.ts';
import { isFinal, isLost, pauseBefore } from './retrying.ts';
import { type Answer, sendOnce } from './sending.ts';
import type { Session } from './session.ts';

/** What a request consists of. */
export interface Request {
  params?: object;
  query?: object;
  body?: unknown;
}

/** Sends a request until there is an answer, a failure that stays, or no attempt left. */
export type Perform = (operation: Operation, request: Request, own: CallOptions) => Promise<Answer>;

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_RETRIES = 3;

/** What has happened to a request so far. */
interface Course {
  attempts: number;
  isRenewed: boolean;
  /** Whether an attempt may have taken effect without an answer. */
  isUnknown: boolean;
}

export function performing(options: ClientOptions, session: () => Session): Perform {
  const { retries = DEFAULT_RETRIES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;

  function attempt(operation: Operation, request: Request, own: CallOptions, token: string | undefined) {
    const { query = {}, body, params = {} } = request;
    const headers: Record<string, string> = { 'X-API-Key': options.apiKey };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (own.idempotencyKey) headers['Idempotency-Key'] = own.idempotencyKey;
    if (token) headers.Authorization = `Bearer ${token}`;
    const text = body === undefined ? undefined : JSON.stringify(toWire(body, operation.rename?.body));
    const url = options.baseUrl.replace(/\/+$/, '') + pathOf(operation.path, params) + searchOf(query);
    const fetch = options.fetch ?? (host.fetch as Fetch);
    const ways = { fetch, signal: own.signal, timeoutMs: own.timeoutMs ?? timeoutMs };
    return sendOnce(operation, { url, headers, body: text }, ways);
  }

  /** Whether the call can go on with another token. */
  async function isRenewed({ code }: PlatformError, token: string): Promise<boolean> {
    if (code === 'TOKEN_EXPIRED') return (await session().renew(token)) !== undefined;
    if (code !== 'INVALID_TOKEN') return false;
    // The session has ended, unless somebody has signed in anew meanwhile.
    const isOther = (await session().token()) !== token;
    if (!isOther) await session().end('session-ended');
    return isOther;
  }

  /** Returns how long to wait before the next attempt; throws the failure if there is none. */
  async function pauseAfter(
    error: PlatformError,
    operation: Operation,
    course: Course,
    { token, key }: { token: string | undefined; key: string | undefined },
  ): Promise<number> {
    if (token && !course.isRenewed && (await isRenewed(error, token))) {
      course.isRenewed = true;
      return 0;
    }
    course.isUnknown ||= operation.method !== 'GET' && isLost(error);
    // A refresh is repeated, too: without its answer the member would have to sign in again in any case.
    const hasKey = key !== undefined || operation === refreshToken;
    const number = course.attempts++;
    const pauseMs = number < retries ? pauseBefore(error, operation, { number, hasKey }) : undefined;
    if (pauseMs !== undefined) return pauseMs;
    throw Object.assign(error, {
      idempotencyKey: key,
      isOutcomeUnknown: course.isUnknown && !isFinal(error),
    });
  }

  return async (operation, request, own) => {
    const course: Course = { attempts: 0, isRenewed: false, isUnknown: false };
    for (;;) {
      const token = operation.takesToken ? await session().token() : undefined;
      try {
        const answer = await attempt(operation, request, own, token);
        fromWire(answer.data, operation.rename?.data);
        return answer;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        const state = { token, key: own.idempotencyKey };
        const pauseMs = await pauseAfter(error, operation, course, state);
        if (pauseMs > 0) await sleep(pauseMs, own.signal);
      }
    }
  };
}

const pathOf = (path: string, params: object): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );

function searchOf(query: object): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return search && `?${search}`;
}
