import type { Facts } from './errors.ts';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** A caller who would have to wait longer gets the failure immediately. */
const MAX_RETRY_AFTER_SECONDS = 60;

interface Failure extends Pick<Facts, 'kind' | 'code'> {
  status: number;
  retryAfter: number | undefined;
}

/**
 * Whether a response may have been lost, so that the request may have taken effect. A response of another system,
 * such as a page of a proxy, counts as lost, too.
 */
export const isLost = (error: Failure): boolean => error.kind !== 'refused' || error.status >= 500;

/**
 * Whether the request has not taken effect yet: there were too many requests, or the first one with its key is
 * still running.
 */
const isPostponed = (error: Failure): boolean => error.status === 429 || error.code === 'REQUEST_IN_PROGRESS';

/** Whether the same request may succeed later: there was no answer, the platform is failing, or it has too much to do. */
export const mayPass = (error: Failure): boolean => isLost(error) || isPostponed(error);

/** Whether a refusal is final: repeating the request would have the same result. */
export const isFinal = (error: Failure): boolean =>
  error.status !== 401 && error.code !== 'IDEMPOTENCY_KEY_REUSED' && !isLost(error) && !isPostponed(error);

/**
 * Returns the pause before the next attempt, given the number of attempts so far; none if
 * there should be no other attempt. `isSafe` means that the request takes effect once however often it is sent.
 */
export function pauseBefore(
  error: Failure,
  isSafe: boolean | undefined,
  attempts: number,
): number | false | undefined {
  const retryAfter = error.retryAfter || 0;
  return (
    (isPostponed(error) || (isSafe && isLost(error))) &&
    retryAfter <= MAX_RETRY_AFTER_SECONDS &&
    retryAfter * 1_000 + Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts)
  );
}
