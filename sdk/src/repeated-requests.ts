import { PlatformError } from './errors.ts';
import { type Fetch, host, type Signal, sleep, within } from './host.ts';
import type { Answer, Operation, Request } from './operation.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { isFinal, isLost, pauseBefore } from './retrying.ts';
import { sendOnce } from './sending.ts';
import type { Session } from './session.ts';

/** Sends a request until it succeeds, fails for good, or has no attempts left. */
export async function perform(
  operation: Operation,
  { params, query, body }: Request,
  { baseUrl, apiKey, timeoutMs: usualMs = 15_000, retries = 3, fetch = host.fetch as Fetch }: ClientOptions,
  { session, idempotencyKey, signal, timeoutMs = usualMs }: CallOptions & { session: Session },
): Promise<Answer> {
  const { method, path } = operation;
  let url = baseUrl + (operation.fill?.(path, params as object) ?? path);
  let mark = '?';
  for (const name in query)
    if (query[name] !== undefined) {
      url += `${mark + name}=${encodeURIComponent(query[name] as string)}`;
      mark = '&';
    }
  const sent = JSON.stringify(body);
  const isSafe = !!idempotencyKey || operation.isRepeatable || !/[AO]/.test(method);
  let member = operation.isOpen ? undefined : await session.read();
  let attempts = 0;
  let isRenewed: boolean | undefined;
  /** Whether an attempt may have taken effect although no response arrived. */
  let isUnknown = false;

  /** Prepares another attempt, with another token or after a pause; throws the failure if there is none left. */
  async function recover(error: PlatformError): Promise<void> {
    const isExpired = error.code === 'TOKEN_EXPIRED';
    if (member && !isRenewed && (isExpired || /^INVALID_TOKEN|INACTIVE$/.test(error.code))) {
      isRenewed = true;
      // A refresh token that is no longer accepted ends the session.
      await (isExpired ? session.renew : session.end)(member.accessToken);
    } else {
      isUnknown ||= method !== 'GET' && isLost(error);
      const pauseMs = attempts < retries && pauseBefore(error, isSafe, attempts++);
      if (!pauseMs) throw error;
      await sleep(pauseMs, signal);
    }
    const present = operation.isOpen ? undefined : await session.read();
    // Another member has signed in since the request was created.
    if (present?.id !== member?.id) throw error;
    member = present;
  }

  for (;;) {
    const headers = {
      'X-API-Key': apiKey,
      ...(sent && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      ...(member && { Authorization: `Bearer ${member.accessToken}` }),
    };

    // Following a redirect would reveal the key and the token to its target, and turn a POST into a GET.
    const ask = (limit: Signal) =>
      fetch(url, { method, headers, body: sent, signal: limit, redirect: 'error' });
    const answer = await sendOnce(ask, operation, timeoutMs, signal);
    if (!(answer instanceof PlatformError)) return answer;
    try {
      // A call that is aborted does not wait for a refresh; others may, so that the refresh goes on.
      await within(2e9, signal, () => recover(answer));
    } catch (failure) {
      // Throws a failure of this call, also if a refresh failed on which several calls have waited.
      throw failure instanceof PlatformError
        ? new PlatformError(failure, {
            operation: operation.id,
            idempotencyKey,
            // Without a key, the refusal of a repetition says nothing about the first attempt.
            isOutcomeUnknown: isUnknown && !(idempotencyKey && isFinal(failure)),
          })
        : failure;
    }
  }
}
