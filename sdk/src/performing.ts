import { PlatformError } from './errors.ts';
import { type Fetch, host, sleep } from './host.ts';
import type { Answer, Operation, Request } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { isFinal, isLost, pauseBefore } from './retrying.ts';
import { type Outgoing, sendOnce } from './sending.ts';
import type { Session } from './session.ts';

/** The operation of this name, without what a program that calls it needs besides. */
export const REFRESH: Operation = { id: 'refreshToken', method: 'POST', path: '/v1/auth/refresh-token' };

/** Sends a request until there is an answer, a failure that stays, or no attempt left. */
export async function perform(
  operation: Operation,
  request: Request,
  own: CallOptions,
  { session, options }: { session: Session; options: ClientOptions },
): Promise<Answer> {
  const { retries = 3, fetch = host.fetch as Fetch } = options;
  const { idempotencyKey, signal, timeoutMs = options.timeoutMs ?? 15_000 } = own;
  const outgoing = outgoingOf(operation, request, options);
  if (idempotencyKey) outgoing.headers['Idempotency-Key'] = idempotencyKey;
  // A refresh is repeated, too: without its answer the member would have to sign in again in any case.
  const isSafe = Boolean(idempotencyKey) || operation === REFRESH;
  const whoAsks = async () => (operation.takesToken ? session.read() : undefined);
  let member = await whoAsks();
  let attempts = 0;
  let isRenewed = false;
  /** Whether an attempt may have taken effect without an answer. */
  let isUnknown = false;

  /** Prepares another attempt, with another token or after a pause; throws the failure if there is none. */
  async function recover(error: unknown): Promise<void> {
    if (!(error instanceof PlatformError)) throw error;
    const { code } = error;
    if (member && !isRenewed && (code === 'TOKEN_EXPIRED' || code === 'INVALID_TOKEN')) {
      isRenewed = true;
      const { accessToken } = member;
      // One that is not accepted any more ends the session.
      await (code === 'TOKEN_EXPIRED'
        ? session.renew(accessToken)
        : session.end('session-ended', accessToken));
    } else {
      isUnknown ||= operation.method !== 'GET' && isLost(error);
      const pauseMs = attempts < retries && pauseBefore(error, operation, { attempts: attempts++, isSafe });
      if (!pauseMs) throw error;
      await sleep(pauseMs, signal);
    }
    const present = await whoAsks();
    // Whoever has signed in meanwhile is not who asked for this.
    if (present?.id !== member?.id) throw error;
    member = present;
  }

  /** The failure of this call, also where what failed is a refresh that several calls have waited for. */
  const failureOf = (error: unknown): unknown =>
    error instanceof PlatformError
      ? new PlatformError(
          error.message,
          {
            ...error,
            operation: operation.id,
            idempotencyKey,
            // Without a key, what a repetition is refused with says nothing about the first attempt.
            isOutcomeUnknown: isUnknown && !(isSafe && isFinal(error)),
          },
          error.cause,
        )
      : error;

  for (;;)
    try {
      if (member) outgoing.headers.Authorization = `Bearer ${member.accessToken}`;
      const answer = await sendOnce(operation.readFile, outgoing, { fetch, signal, timeoutMs });
      operation.fromWire?.(answer.data);
      return answer;
    } catch (error) {
      await recover(error).catch((failure) => {
        throw failureOf(failure);
      });
    }
}

function outgoingOf(
  operation: Operation,
  { params, query, body }: Request,
  options: ClientOptions,
): Outgoing {
  const { method, toWire = (same: object) => same } = operation;
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name) => segment((params as Fields)[name]));
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const headers: Record<string, string> = { 'X-API-Key': options.apiKey };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return {
    method,
    url: options.baseUrl + path + (search && `?${search}`),
    headers,
    body: body === undefined ? body : JSON.stringify(toWire(body as object)),
  };
}

type Fields = Record<string, unknown>;

/** An empty segment of a path, or one of dots, would lead to another operation. */
function segment(value: unknown): string {
  const text = String(value);
  if (/^\.*$/.test(text)) throw new TypeError(`'${text}' is no id`);
  return encodeURIComponent(text);
}
